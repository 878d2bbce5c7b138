import type * as matches from '#modules/matching/matches';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import type { Texts } from '../texts/english.ts';
import { renderTicks } from './disclosure.ts';
import { renderFacts } from './facts.ts';

type Explained = Omit<OperationBody<typeof matches.previewExplanation>, 'match_tier'>;

/** Renders why a person fits a job: for the organisation, and for the member as an example of what organisations read. */
export function renderExplainedPerson(texts: Texts, explained: Explained): Html {
  const { summary_text, standings, top_strengths, growth_areas, questions, confidence_statement } = explained;
  const details = standings ?? [];
  const reasons = new Set(details.map(({ reason }) => reason));
  const others = listSentences(summary_text).filter((sentence) => !reasons.has(sentence));
  return html`<p>${others.join(' ')}</p>
    ${details.length > 0 && renderFacts(details.map((detail) => [nameStanding(texts, detail), detail.reason]))}
    ${renderTicks(top_strengths)}
    ${
      growth_areas.length > 0 &&
      html`<h3>${texts.match.growth}</h3>
        ${renderTicks(growth_areas)}`
    }
    ${renderQuestions(texts, questions)}
    <h3>${texts.shortlist.belongingTitle}</h3>
    ${renderBelonging(texts, explained)}
    <p class="quiet small">${confidence_statement} <a href="/model-card">${texts.matches.howTiers}</a></p>`;
}

/** Splits the text of an explanation into its sentences. */
export function listSentences(text: string): readonly string[] {
  return text.split(/(?<=\.) /);
}

type Standing = NonNullable<Explained['standings']>[number];

/** Names how far a trait is known, and on which side of the average it is. */
export function nameStanding(
  { table: { standings } }: Texts,
  { standing, side }: Pick<Standing, 'standing' | 'side'>,
): string {
  if (standing === null || standing === 'open' || side === null) return standings.open;
  return standing === 'clear' ? standings.clear[side] : standings.likely[side === 'above' ? side : 'below'];
}

/** Renders what a conversation could settle; nothing if everything is clear or nothing is known in detail. */
export function renderQuestions(texts: Texts, questions: Explained['questions']): Html | undefined {
  if (questions.length === 0) return undefined;
  return html`<h3>${texts.match.questions}</h3>
    ${renderTicks(questions)}`;
}

/** Renders how well a person would belong, in three words, and what the culture is based on. */
export function renderBelonging(
  texts: Texts,
  {
    belonging_breakdown: breakdown,
    belonging_basis,
  }: Pick<Explained, 'belonging_breakdown' | 'belonging_basis'>,
): Html {
  const { belonging, belongingLabels, belongingBases } = texts.shortlist;
  return html`${renderFacts(
    (['authenticity', 'acceptance', 'complementarity'] as const).map(
      (part) => [belonging[part], belongingLabels[breakdown[part]]] as const,
    ),
    'labels',
  )}
  ${belonging_basis !== null && html`<p class="quiet small">${belongingBases[belonging_basis]}</p>`}`;
}
