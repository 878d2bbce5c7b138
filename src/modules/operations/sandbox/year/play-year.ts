import type { TaskContext } from '#platform/queue/task.ts';
import { passTime } from '../pass-time.ts';
import { requireTestClock } from '../require-test-clock.ts';
import {
  computeActTime,
  computeYearBeginning,
  countAccounts,
  year_days,
  year_step_ms,
  type Year,
} from '../rules.ts';
import { beginYear, endYear, findSandbox, recordActs } from '../store.ts';
import { gatherCompany } from './company.ts';
import { planYear, type Act } from './plan-year.ts';
import { playAct } from './play-act.ts';

/** The year, and the administrator by whom its organisation acts. */
export type PlayedYear = Pick<Year, 'id' | 'seed' | 'org_id'> & { readonly user_id: string };

/**
 * Plays a year: each act is an operation of the API, called as its organisation or as one of its members, when the clock has come to its day. What an act
 * causes is done before the next one. It goes on where an interrupted run has stopped, and ends when the year was cancelled.
 */
export async function playYear(context: TaskContext, { id, ...played }: PlayedYear): Promise<void> {
  const { database } = context;
  const begun = await begin(context, id);
  if (!begun) return;
  const { began_at, acts_done, member_count } = begun;
  const acts = planYear(played.seed, member_count);
  const company = gatherCompany(context, { ...played, member_count });
  const goTo = (day: number) =>
    passTime(context, { target: computeActTime(began_at, day), longest_ms: year_step_ms });
  /** Stores how far the year is. @returns whether it is still running. */
  const report = async (done: number) => {
    await context.reportProgress(done, acts.length);
    return recordActs(database, id, done);
  };
  let reached: number | undefined;
  for (const [index, act] of acts.entries()) {
    if (index < acts_done) continue;
    if (act.day !== reached) {
      await goTo(act.day);
      if (!(await report(index))) return;
      reached = act.day;
    }
    const refused = await playAct(company, { act, key: nameAct(began_at, index), began_at });
    if (refused !== undefined) continue;
    if (haveLateEvents.has(act.kind)) await goTo(act.day);
    if (!(await report(index + 1))) return;
  }
  await goTo(year_days);
  if (await report(acts.length)) await endYear(database, id, 'finished');
}

/** Begins the year, unless it has begun. @returns undefined if it does not run any more. */
async function begin(context: TaskContext, id: string) {
  const { database } = context;
  const clock = requireTestClock(context);
  const sandbox = await findSandbox(database);
  if (sandbox?.year?.id !== id || sandbox.year.status !== 'running') return undefined;
  const { year, member_count } = sandbox;
  const now = { now: clock.now(), ahead_ms: clock.readAhead() };
  const began_at = year.began_at ?? computeYearBeginning(now);
  await beginYear(database, id, began_at);
  return { began_at, acts_done: year.acts_done, member_count: countAccounts(member_count) };
}

/** The acts that tasks follow with events of their own, before which the events of further acts must not come. */
const haveLateEvents: ReadonlySet<Act['kind']> = new Set([
  'openJob',
  'closeJob',
  'correctPlacement',
  'leave',
]);

/** Names an act, so that its payment and its Idempotency-Key differ from those of any other. */
function nameAct(began_at: Date, index: number): string {
  return `year-${began_at.toISOString().slice(0, 10)}-${index}`;
}
