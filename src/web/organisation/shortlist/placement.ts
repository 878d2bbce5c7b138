import * as placements from '#modules/matching/placements';
import { html, type Html } from '../../serving/html.ts';
import { goTo, type Action, type Visit } from '../../serving/page.ts';
import { renderForm, type Field } from '../../parts/form.ts';
import { readLastOutcome, renderPlacementFacts } from '../../parts/placement-facts.ts';
import { isAdmin } from '../admins-only.ts';
import { buildAddress, readSelection } from './selection.ts';

type Placement = { readonly match_id: string; readonly match_status: string };

/** Renders what became of a person who has accepted, and how an administrator records what comes next. */
export async function renderPlacement(
  visit: Visit,
  { match_id, match_status }: Placement,
): Promise<Html | undefined> {
  if (match_status === 'member_accepted') return isAdmin(visit) ? renderDecision(visit, match_id) : undefined;
  const last = await readLastOutcome(visit, match_id);
  const canChange = isAdmin(visit) && last !== undefined && last.outcome !== 'left';
  return html`${await renderPlacementFacts(visit, match_id, 'organisation')}
  ${canChange && html`${renderExtension(visit, match_id)} ${renderEnd(visit, match_id)}`}
  ${isAdmin(visit) && last?.placed_at && renderCorrection(visit, match_id)}`;
}

const reason_characters_max = 500;

/** Whether the person was placed, or nothing came of it. */
function renderDecision(visit: Visit, match_id: string): Html {
  const { placement: texts } = visit.texts;
  return html`<div class="decision">
      <h3>${texts.title}</h3>
      <p>${texts.lead}</p>
      ${renderForm(visit, {
        action: 'place',
        button: texts.place,
        hidden: { match_id },
        fields: [
          { name: 'placed_at', label: texts.placed_at, type: 'date', value: formatToday(visit) },
          {
            name: 'ended_at',
            label: texts.ended_at,
            hint: texts.plannedHint,
            type: 'date',
            optional: true,
          },
        ],
      })}
    </div>
    ${renderAct(visit, texts.notPlaced, {
      lead: texts.notPlacedLead,
      action: 'end',
      button: texts.notPlacedButton,
      match_id,
      fields: [buildReasonField(visit)],
    })}`;
}

function renderExtension(visit: Visit, match_id: string): Html {
  const { placement: texts } = visit.texts;
  return renderAct(visit, texts.extend, {
    action: 'extend',
    button: texts.extendButton,
    match_id,
    fields: [
      { name: 'ended_at', label: texts.newEnd, hint: texts.plannedHint, type: 'date', optional: true },
    ],
  });
}

function renderEnd(visit: Visit, match_id: string): Html {
  const { placement: texts } = visit.texts;
  return renderAct(visit, texts.left, {
    action: 'leave',
    button: texts.leftButton,
    match_id,
    fields: [
      { name: 'ended_at', label: texts.lastDay, type: 'date', value: formatToday(visit) },
      buildReasonField(visit),
    ],
  });
}

function renderCorrection(visit: Visit, match_id: string): Html {
  const { placement: texts } = visit.texts;
  return renderAct(visit, texts.wrongDate, {
    lead: texts.wrongDateLead,
    action: 'correct',
    button: texts.correctButton,
    match_id,
    fields: [
      { name: 'placed_at', label: texts.rightDate, type: 'date' },
      {
        name: 'reason',
        label: texts.reason,
        hint: texts.reasonHint,
        lines: 2,
        maxlength: reason_characters_max,
      },
    ],
  });
}

function buildReasonField({ texts: { placement } }: Visit): Field {
  return {
    name: 'reason',
    label: placement.reason,
    hint: placement.reasonHint,
    lines: 2,
    maxlength: reason_characters_max,
    optional: true,
  };
}

type Act = {
  readonly lead?: string;
  readonly action: string;
  readonly button: string;
  readonly match_id: string;
  readonly fields: readonly Field[];
};

const quietActs: ReadonlySet<string> = new Set(['extend', 'correct']);

/** Renders a form that is folded away until it is needed, or was refused. */
function renderAct(visit: Visit, title: string, { lead, action, button, match_id, fields }: Act): Html {
  return html`<details class="quiet" ${visit.form.action === action && 'open'}>
    <summary>${title}</summary>
    ${lead !== undefined && html`<p>${lead}</p>`}
    ${renderForm(visit, { action, button, look: quietActs.has(action) ? 'quiet' : 'danger', hidden: { match_id }, fields })}
  </details>`;
}

function formatToday({ now }: Visit): string {
  return now.toISOString().slice(0, 10);
}

/** The actions of {@link renderPlacement}. */
export const placementActions: Readonly<Record<string, Action>> = {
  place: recordOutcome('placed'),
  extend: recordOutcome('extended'),
  leave: recordOutcome('left'),
  end: recordOutcome('not_placed'),
  correct: correctPlacement,
};

/** Records an outcome, and shows the person where they are then. */
function recordOutcome(outcome: 'placed' | 'not_placed' | 'extended' | 'left'): Action {
  return async (visit, { match_id = '', placed_at = '', ended_at = '', reason = '' }) => {
    await visit.call(placements.recordOutcome, {
      match_id,
      outcome,
      ...(placed_at !== '' && { placed_at: `${placed_at}T00:00:00.000Z` }),
      // The last day is worked.
      ...(ended_at !== '' && { ended_at: `${ended_at}T23:59:59.000Z` }),
      ...(reason.trim() !== '' && { reason: reason.trim() }),
    });
    const selection = readSelection(visit);
    if (outcome === 'not_placed')
      return goTo(buildAddress({ ...selection, match: undefined }), 'contactEnded');
    return goTo(buildAddress({ ...selection, status: 'placed', match: match_id }), 'outcomeSaved');
  };
}

async function correctPlacement(
  visit: Visit,
  { match_id = '', placed_at = '', reason = '' }: Readonly<Record<string, string>>,
) {
  await visit.call(placements.correctPlacement, {
    match_id,
    placed_at: `${placed_at}T00:00:00.000Z`,
    reason: reason.trim(),
  });
  return goTo(buildAddress({ ...readSelection(visit), status: 'placed', match: match_id }), 'outcomeSaved');
}
