import type * as matches from '#modules/matching/matches';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import type { Texts } from '../texts/english.ts';
import { renderTicks } from './disclosure.ts';
import { renderFacts } from './facts.ts';

type Explained = Omit<OperationBody<typeof matches.previewExplanation>, 'match_tier'>;

/** Renders why a person fits a job: for the organisation, and for the member as an example of what organisations read. */
export function renderExplainedPerson(texts: Texts, explained: Explained): Html {
  const { summary_text, top_strengths, growth_areas, questions, confidence_statement, belonging_breakdown } =
    explained;
  return html`<p>${summary_text}</p>
    ${renderTicks(top_strengths)}
    ${
      growth_areas.length > 0 &&
      html`<h3>${texts.match.growth}</h3>
        ${renderTicks(growth_areas)}`
    }
    ${renderQuestions(texts, questions)}
    <h3>${texts.shortlist.belongingTitle}</h3>
    ${renderBelonging(texts, belonging_breakdown)}
    <p class="quiet small">${confidence_statement} <a href="/model-card">${texts.matches.howTiers}</a></p>`;
}

/** Renders what a conversation could settle; nothing if everything is clear or nothing is known in detail. */
export function renderQuestions(texts: Texts, questions: Explained['questions']): Html | undefined {
  if (questions.length === 0) return undefined;
  return html`<h3>${texts.match.questions}</h3>
    ${renderTicks(questions)}`;
}

/** Renders how well a person would belong, in three words. */
export function renderBelonging(texts: Texts, breakdown: Explained['belonging_breakdown']): Html {
  const { belonging, belongingLabels } = texts.shortlist;
  return renderFacts(
    (['authenticity', 'acceptance', 'complementarity'] as const).map(
      (part) => [belonging[part], belongingLabels[breakdown[part]]] as const,
    ),
    'labels',
  );
}
