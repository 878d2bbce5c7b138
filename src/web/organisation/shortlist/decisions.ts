import * as jobs from '#modules/matching/jobs';
import * as matching from '#modules/matching/matches';
import { html, type Html } from '../../serving/html.ts';
import { goTo, type Action, type Visit } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { isAdmin } from '../admins-only.ts';
import { formatHandle } from '#modules/matching/matches';
import type { Match } from './match.ts';

/** How long nobody is informed of an interest, so that a slip can be taken back. */
const undo_seconds = 10;

/** The names of the checkboxes of people begin like this, and continue with the id of the match. */
const chosen_prefix = 'chosen_';

/** The list from which somebody decides: its job, and its address with another person chosen, or nobody. */
export type DecisionList = {
  readonly job_id: string;
  readonly buildAddress: (match: string | undefined, status?: 'pending_review') => string;
};

/** Builds the actions that decide on people, and those that take it back. They return to the list. */
export function buildDecisionActions(
  readList: (visit: Visit) => DecisionList,
): Readonly<Record<'decide' | 'decideOnAll' | 'takeBack' | 'undo', Action>> {
  return {
    decide: (visit, fields) => decideOnOne(visit, readList(visit), fields),
    decideOnAll: (visit, fields) => decideOnAll(visit, readList(visit), fields),
    takeBack: async (visit, { match_id = '', seen_status }) => {
      await visit.call(matching.setMatchStatus, {
        match_id,
        status: 'pending_review',
        ...readSeen(seen_status),
      });
      return goTo(readList(visit).buildAddress(match_id, 'pending_review'), 'decisionTakenBack');
    },
    undo: async (visit, { decision_id = '' }) => {
      const { job_id, buildAddress } = readList(visit);
      const { refused } = await visit.call(matching.undoDecision, { job_id, decision_id });
      return goTo(buildAddress(undefined), refused.length === 0 ? 'decisionTakenBack' : 'someNotDecided');
    },
  };
}

/** Decides on the chosen person, and returns to the list at the next one, with an offer to undo it. */
async function decideOnOne(
  visit: Visit,
  { buildAddress }: DecisionList,
  { match_id = '', next = '', note = '', choice }: Readonly<Record<string, string>>,
) {
  const status = readChoice(choice);
  const given = note.trim() === '' || status !== 'org_interested' ? {} : { note: note.trim() };
  // Only people who wait for a decision have this form.
  const seen_status = 'pending_review' as const;
  await visit.call(matching.setMatchStatus, { match_id, status, seen_status, undo_seconds, ...given });
  return goTo(addQuery(buildAddress(next === '' ? undefined : next), 'decided', match_id));
}

/** Reads who is ticked. */
export function readTicked(fields: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(fields).flatMap((name) =>
    name.startsWith(chosen_prefix) ? [name.slice(chosen_prefix.length)] : [],
  );
}

/** Decides on everybody who is ticked. */
async function decideOnAll(
  visit: Visit,
  { job_id, buildAddress }: DecisionList,
  fields: Readonly<Record<string, string>>,
) {
  const address = buildAddress(undefined);
  const match_ids = [...readTicked(fields)];
  if (match_ids.length === 0) {
    // A job that does not exist has no list to return to.
    await visit.call(jobs.readJob, { job_id });
    return goTo(address, 'nobodyChosen');
  }
  const decided = await visit.call(matching.decideMatches, {
    job_id,
    match_ids,
    status: readChoice(fields['choice']),
    undo_seconds,
    ...readSeenByAll(fields),
  });
  const { decision_id, refused } = decided;
  return goTo(
    decision_id === null ? address : addQuery(address, 'decision', decision_id),
    refused.length === 0 ? undefined : 'someNotDecided',
  );
}

/** Reads in which status somebody was seen. The operation refuses one that does not exist. */
function readSeen(status: string | undefined) {
  return status === undefined ? {} : { seen_status: status as Match['match_status'] };
}

/** Reads in which status all who are ticked were seen, if it is the same one. */
function readSeenByAll(fields: Readonly<Record<string, string>>) {
  const seen = new Set(readTicked(fields).map((match_id) => fields[`${chosen_prefix}${match_id}`]));
  return seen.size === 1 ? readSeen([...seen][0]) : {};
}

function readChoice(choice: string | undefined) {
  return choice === 'pass' ? 'org_passed' : 'org_interested';
}

function addQuery(address: string, name: string, value: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${name}=${value}`;
}

/** Says what was just decided, and offers to undo it, while that is possible. */
export async function renderUndo(visit: Visit): Promise<Html | undefined> {
  const { decided, decision } = visit.query;
  if (!isAdmin(visit)) return undefined;
  if (decided !== undefined) return renderUndoOfOne(visit, decided);
  if (decision === undefined) return undefined;
  return renderOffer(visit, visit.texts.shortlist.decidedOnAll, 'undo', { decision_id: decision });
}

async function renderUndoOfOne(visit: Visit, match_id: string): Promise<Html | undefined> {
  const match = await readUnlessRefused(['match_not_found', 'field_invalid'], () =>
    visit.call(matching.readMatch, { match_id }),
  );
  const { shortlist } = visit.texts;
  if (match?.match_status !== 'org_interested' && match?.match_status !== 'org_passed') return undefined;
  const name = formatHandle(shortlist.person, match.member_id);
  const hidden = { match_id, seen_status: match.match_status };
  return renderOffer(visit, shortlist.decided[match.match_status](name), 'takeBack', hidden);
}

function renderOffer(
  visit: Visit,
  words: string,
  action: 'takeBack' | 'undo',
  hidden: Readonly<Record<string, string>>,
): Html {
  const button = visit.texts.shortlist.undo;
  return html`<div class="message good undo" role="status">
    <p>${words}</p>
    ${renderForm(visit, { action, button, look: 'quiet', key: 'u', hidden })}
  </div>`;
}

/** Offers to take back a decision about a person who has not answered. */
export function renderTakeBack(visit: Visit, { id: match_id, match_status }: Match): Html | undefined {
  const { takeBack } = visit.texts.shortlist;
  if (!isAdmin(visit) || (match_status !== 'org_interested' && match_status !== 'org_passed'))
    return undefined;
  return renderForm(visit, {
    action: 'takeBack',
    button: takeBack[match_status],
    look: 'quiet',
    hidden: { match_id, seen_status: match_status },
  });
}

/** Wraps a list of people, each with a {@link renderTick}, in a form that decides on those who are ticked. `more` are further buttons. */
export function renderDecisionOnAll(visit: Visit, people: Html, more?: Html): Html {
  const { shortlist } = visit.texts;
  return renderForm(visit, {
    action: 'decideOnAll',
    button: shortlist.askChosen,
    look: 'quiet',
    wide: true,
    before_fields: people,
    after: html`<button class="button quiet" name="choice" value="pass">${shortlist.passOnChosen}</button>
      ${more}`,
  });
}

/** Renders the tick of a person. Its value is the status in which the visitor has seen them. */
export function renderTick({ texts }: Visit, { id, match_status }: Match, name: string): Html {
  return html`<input
    type="checkbox"
    name="${chosen_prefix}${id}"
    value="${match_status}"
    aria-label="${texts.shortlist.choose(name)}"
  />`;
}
