import { beforeAll, expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import {
  createJob,
  fillMeans,
  fillSlots,
  forceMatchStatus,
  insertMembers,
  listStoredMatches,
  tierMeans,
} from '#test/modules/matching.ts';
import { matchQualities } from '#modules/matching/engine';
import { readAllMatches, type ShortlistedMatch } from './read-all-matches.ts';

type Role = 'org_admin' | 'platform_admin';
type Sizes = NonNullable<Parameters<typeof readAllMatches>[3]>;

let jobs: readonly string[];
const app = await startApp();
const org = await app.registerOrgAdmin();
beforeAll(async () => {
  const tiers = ['developing', 'strong', 'moderate', 'exceptional', 'strong'] as const;
  const vectors = tiers.map((tier) => ({ mean: fillMeans(tierMeans[tier]), variance: fillSlots(0.15) }));
  await insertMembers(app, vectors);
  jobs = await Promise.all([1, 2, 3, 4, 5].map(() => createJob(app, org.token)));
  await app.drainQueue();
  const [match] = await listStoredMatches(app, jobs[0]!);
  await forceMatchStatus(app, match!.id, 'member_accepted');
});

/** Reads all matches in one snapshot, and calls `between` after the first page. */
async function readAll(
  role: Role,
  sizes?: Sizes,
  between?: () => Promise<unknown>,
): Promise<readonly ShortlistedMatch[]> {
  const context = { ...app.platform, caller: { role } };
  const filter = { org_id: org.org_id };
  const pages = app.platform.database.readSnapshot((db) => readAllMatches(context, db, filter, sizes));
  const matches: ShortlistedMatch[] = [];
  for await (const page of pages) {
    expect(page.length).toBeLessThanOrEqual(sizes?.matches ?? Infinity);
    if (matches.length === 0) await between?.();
    matches.push(...page);
  }
  return matches;
}

test('pages of every size have each match once, by job, best tier first', async () => {
  for (const role of ['org_admin', 'platform_admin'] as const) {
    const all = await readAll(role);
    expect(all).toHaveLength(25);
    const places = all.map(
      ({ job_id, match_quality, id }) => `${job_id} ${matchQualities.indexOf(match_quality)} ${id}`,
    );
    expect(places).toEqual([...new Set(places)].toSorted());
    for (const jobs_at_once of [1, 2, 5])
      for (const matches of [1, 2, 5, 7])
        expect(await readAll(role, { jobs: jobs_at_once, matches })).toEqual(all);
  }
});

test('an organisation reads what the list shows, and a platform administrator the stored ids and times', async () => {
  const { body } = await app.request('GET', '/orgs/me/matches?limit=100', {
    token: org.token,
  });
  const pick = ({ id, member_id, match_quality, match_status, provisional }: ShortlistedMatch) => [
    id,
    member_id,
    match_quality,
    match_status,
    provisional,
  ];
  const sort = (rows: readonly (readonly unknown[])[]) =>
    rows.toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
  expect(sort((await readAll('org_admin')).map(pick))).toEqual(sort(body.data.map(pick)));
  const stored = (await Promise.all(jobs.map((job) => listStoredMatches(app, job)))).flat();
  const memberOf = new Map(stored.map(({ id, member_id }) => [id, member_id]));
  for (const { id, member_id, computed_at } of await readAll('platform_admin')) {
    expect(member_id).toBe(memberOf.get(id));
    expect(computed_at).toEqual(app.clock.now());
  }
});

test('matches that are replaced meanwhile are read as they were', async () => {
  const before = await readAll('org_admin');
  const during = await readAll('org_admin', { jobs: 1, matches: 2 }, async () => {
    for (const job of jobs)
      await app.request('PATCH', `/orgs/me/jobs/${job}`, {
        token: org.token,
        body: { trait_priorities: { persistence: 1, sincerity: 0.2 } },
      });
    await app.drainQueue();
  });
  expect(during).toEqual(before);
  const after = await readAll('org_admin');
  const ids = new Set(before.map(({ id }) => id));
  // All but the one that was accepted.
  expect(after.filter(({ id }) => ids.has(id))).toHaveLength(1);
});
