import * as traits from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { renderDisclosure } from '../parts/disclosure.ts';
import { renderForm } from '../parts/form.ts';
import { buildAddress, renderNextPage } from '../parts/next-page.ts';
import { renderSwitch } from '../parts/switch.ts';
import { html, type Html } from '../serving/html.ts';
import { readCursor, sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';

const at = '/app/operator/findings';
const states = ['open', 'accepted', 'dismissed'] as const;

/** What was found about statements, with what can be decided, or what was. */
export const findingsPage: Page = {
  show: async (visit) => {
    const { operatorFindings: words, operator } = visit.texts;
    const state = states.find((each) => each === visit.query['state']) ?? 'open';
    const { data, pagination } = await visit.call(traits.listItemFindings, {
      ...readCursor(visit),
      state,
      limit: 20,
    });
    const content = html`${renderSwitch(
      words.filter,
      states.map((each) => [buildAddress(at, { state: each }), words.states[each], each === state]),
    )}
    ${data.length === 0 ? html`<p class="quiet">${words.empty[state]}</p>` : html`<section class="group reading">${data.map((finding) => renderFinding(visit, finding))}</section>`}
    ${renderNextPage(at, { state }, { next_cursor: pagination.next_cursor, label: operator.more })}`;
    return showHeaded(words, content);
  },
  actions: {
    decide: sendForm(traits.decideItemFinding, at, 'findingDecided'),
    undo: sendForm(traits.undoItemDecision, at, 'decisionUndone'),
  },
};

type Finding = OperationBody<typeof traits.listItemFindings>['data'][number];

function renderFinding(visit: Visit, finding: Finding): Html {
  const { operatorFindings: words, traits: traitWords } = visit.texts;
  const { formatDate, formatNumber } = visit.format;
  const { kind, statements, answered, respondents, found_at, parameter_version, decision, decided_at } =
    finding;
  const trait = statements[0]?.trait;
  return html`<section class="panel">
    <h2>
      ${statements.map((statement) => html`<span class="block">${describeStatement(words, statement)}</span>`)}
    </h2>
    <p>
      <span class="tag ${kind === 'drifted' || kind === 'differs' ? 'clay' : 'plain'}"
        >${words.kinds[kind]}</span
      >
      ${trait && html`<span class="quiet">${findWord(traitWords.names, trait)}</span>`}
    </p>
    <p>${describeFinding(visit, finding)} ${words.meanings[kind]}</p>
    <p>${words.affected(formatNumber(answered), formatNumber(respondents))}</p>
    <p class="quiet small">
      ${words.found(formatDate(found_at), parameter_version)}${decided_at !== null && `. ${words.decided(formatDate(decided_at))}: ${words.choices[decision!]}`}
    </p>
    ${decision === null ? renderChoices(visit, finding) : renderUndo(visit, finding)}
  </section>`;
}

type Words = Visit['texts']['operatorFindings'];
type Statement = Finding['statements'][number];

function describeStatement(words: Words, { item_id, text }: Statement): string {
  return text ?? words.unknown(item_id);
}

function describeFinding({ texts }: Visit, { kind, subject, compared_with, size }: Finding): string {
  const { operatorFindings: words, reports } = texts;
  const formatted = Math.abs(size).toFixed(2);
  const reference = compared_with ?? '';
  if (kind === 'drifted')
    return words[subject === 'location' ? 'location' : 'discrimination'](reference, formatted, size > 0);
  if (kind !== 'differs') return words[kind](formatted);
  const [attribute = '', group = ''] = (subject ?? '').split(' ');
  return words.differs(
    findWord(reports.attributes, attribute),
    findWord(reports.groups, group),
    findWord(reports.groups, reference),
    formatted,
    size > 0,
  );
}

/** Finds the word for a code; a code of another version of the program has none. */
function findWord(words: Readonly<Record<string, string>>, code: string): string {
  return words[code] ?? code;
}

/** Renders a button for each choice, with what follows from it. Of a pair, each statement can be retired. */
function renderChoices(visit: Visit, finding: Finding): Html {
  const { operatorFindings: words } = visit.texts;
  const { finding_id, kind, choices } = finding;
  const isRefused = visit.form.action === 'decide' && visit.form.values['finding_id'] === finding_id;
  const offered = choices.flatMap((decision) => listOffers(words, finding, decision));
  const content = html`<div>
    ${offered.map(({ decision, effect, button, item_id }) =>
      renderForm(visit, {
        action: 'decide',
        button,
        button_label: words.about(button, describeAll(words, finding)),
        look: 'quiet',
        hidden: { finding_id, decision, ...(item_id !== undefined && { item_id }) },
        before_buttons: html`<p>${effect}</p>`,
      }),
    )}
    <p class="quiet small">${words.follows} ${kind === 'differs' && words.byGroup}</p>
  </div>`;
  return renderDisclosure(words.decide, content, isRefused);
}

type Offer = {
  readonly decision: Finding['choices'][number];
  readonly effect: string;
  readonly button: string;
  readonly item_id?: string;
};

function listOffers(words: Words, { kind, statements }: Finding, decision: Offer['decision']): Offer[] {
  const isPair = kind === 'dependent';
  const effect = isPair && decision === 'less_weight' ? words.effects.less_together : words.effects[decision];
  if (!isPair || decision !== 'retire') return [{ decision, effect, button: words.choices[decision] }];
  return statements.map((statement) => ({
    decision,
    effect,
    button: words.retireOne(describeStatement(words, statement)),
    item_id: statement.item_id,
  }));
}

function renderUndo(visit: Visit, finding: Finding): Html {
  const { operatorFindings: words } = visit.texts;
  const { finding_id, decision } = finding;
  return renderForm(visit, {
    action: 'undo',
    button: words.undo,
    button_label: words.undoOf(describeAll(words, finding)),
    look: 'quiet',
    hidden: { finding_id },
    before_buttons: decision !== 'dismiss' && html`<p>${words.undoText}</p>`,
  });
}

function describeAll(words: Words, { statements }: Finding): string {
  return statements.map((statement) => describeStatement(words, statement)).join(' ');
}
