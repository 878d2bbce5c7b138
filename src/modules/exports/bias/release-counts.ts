import { findListedVersion, findLivePolicy, readOutcomes } from '#modules/matching';
import { listConsentedAnswers, type MemberAnswers } from '#modules/self-identification';
import type { Reader } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { addOutcomes, countPeople, type People } from './count-people.ts';
import { completeCounts, isReleaseDue, mayReplace } from './release-rules.ts';
import type { BiasCounts, BiasRelease } from './rules.ts';
import { findRelease, replaceRelease } from './store.ts';

type ReleaseContext = Pick<Context, 'database' | 'readSnapshot' | 'transaction' | 'now'>;

type Subject = { readonly org_id: string; readonly year: number };

/**
 * Finds the counts that an organisation may see about a year. They are counted again when a new report is due, and replace those that were seen
 * if the difference says nothing about a few people. `record` runs in the same transaction.
 */
export async function releaseCounts(
  context: ReleaseContext,
  subject: Subject,
  record: (tx: Parameters<Parameters<Context['transaction']>[0]>[0]) => Promise<void>,
): Promise<BiasRelease> {
  const { database, now } = context;
  const seen = await readRelease(database, subject);
  const counts = !seen || isReleaseDue(seen, now()) ? await count(context, subject) : undefined;
  const isReplaced = counts !== undefined && (!seen || mayReplace(seen.counts, counts));
  return context.transaction(async (tx) => {
    await record(tx);
    if (isReplaced) await replaceRelease(tx, subject, counts, { before: seen?.released_at, now: now() });
    // What another request has stored meanwhile is what everybody sees.
    return (await readRelease(tx, subject))!;
  });
}

async function readRelease(db: Reader, { org_id, year }: Subject): Promise<BiasRelease | undefined> {
  const release = await findRelease(db, org_id, year);
  return release && { ...release, counts: completeCounts(release.counts) };
}

async function count(context: ReleaseContext, subject: Subject): Promise<BiasCounts> {
  let counts: BiasCounts | undefined;
  for await (const counted of context.readSnapshot((db) => countInSnapshot(db, subject))) counts = counted;
  return counts!;
}

async function* countInSnapshot(db: Reader, { org_id, year }: Subject): AsyncGenerator<BiasCounts, void> {
  const people: People = new Map();
  for await (const outcomes of readOutcomes(db, org_id, buildPeriod(year))) addOutcomes(people, outcomes);
  const [{ version }, policy] = [await findListedVersion(db), await findLivePolicy(db)];
  yield countPeople(people, await listAnswers(db, [...people.keys()]), {
    parameter_version: version ?? null,
    policy_version: policy.version,
  });
}

/** The calendar year in UTC. */
export function buildPeriod(year: number): { readonly from: Date; readonly until: Date } {
  return { from: new Date(Date.UTC(year, 0)), until: new Date(Date.UTC(year + 1, 0)) };
}

const members_per_page = 2_000;

async function listAnswers(db: Reader, member_ids: readonly string[]): Promise<readonly MemberAnswers[]> {
  const answers: MemberAnswers[] = [];
  for (let start = 0; start < member_ids.length; start += members_per_page)
    answers.push(...(await listConsentedAnswers(db, member_ids.slice(start, start + members_per_page))));
  return answers;
}
