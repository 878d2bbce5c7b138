import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createJob, fillMeans, fillSlots, insertMembers, tierMeans } from '#test/modules/matching.ts';
import { publishIfPossible } from './publish-report.ts';
import type { PublishedReport } from './store.ts';
import type { PublishedCounts } from './wire.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();
await insertMembers(app, [{ mean: fillMeans(tierMeans.strong), variance: fillSlots(0.15) }]);
const job_id = await createJob(app, org.token);
await app.drainQueue();
await app.sql.run(sql`delete from matches where org_id = ${org.org_id}`);

type Person = { readonly id: string; readonly gender: string | null };

const genders = ['woman', 'man', 'woman', 'man', null, 'woman', 'man', 'non_binary'] as const;
const people: Person[] = [];

/** New people of all groups: about three of eight are women, and as many men. */
async function addPeople(count: number): Promise<readonly Person[]> {
  const added = Array.from({ length: count }, (_, place): Person => ({
    id: randomUUID(),
    gender: genders[place % genders.length]!,
  }));
  await app.sql.run(sql`
    insert into members (id, display_name, created_at)
    select id, 'Somebody', now() from unnest(${added.map(({ id }) => id)}::uuid[]) as id`);
  const stated = added.filter(({ gender }) => gender !== null);
  await app.sql.run(sql`
    insert into self_identifications (member_id, genders, updated_at)
    select id, array[gender], now() from unnest(${stated.map(({ id }) => id)}::uuid[], ${stated.map(({ gender }) => gender)}::text[]) as stated (id, gender)`);
  await app.sql.run(sql`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), id, 'demographic_self_identification', true, '1.0', now() from unnest(${stated.map(({ id }) => id)}::uuid[]) as id`);
  people.push(...added);
  return added;
}

/** Matches people in a year, and chooses those at these places. Earlier matches are gone, as after a job was opened again. */
async function match(
  some: readonly Person[],
  year: number,
  isChosen: (place: number) => boolean,
): Promise<void> {
  const chosen = some.map((_, place) => (isChosen(place) ? 'org_interested' : 'pending_review'));
  await app.sql.run(sql`delete from matches where org_id = ${org.org_id}`);
  await app.sql.run(sql`
    insert into matches (id, member_id, job_id, org_id, match_quality, confidence_level, version, provisional, match_status, computed_at, created_at)
    select gen_random_uuid(), person.id, job.id, job.org_id, 'strong', 'high', job.version, false, person.status::match_status,
      make_timestamptz(${year}, 6, 1, 0, 0, 0), make_timestamptz(${year}, 6, 1, 0, 0, 0)
    from jobs as job, unnest(${some.map(({ id }) => id)}::uuid[], ${chosen}::text[]) as person (id, status) where job.id = ${job_id}`);
}

async function publish(year: number): Promise<void> {
  const { database } = app.platform;
  const now = () => new Date(Date.UTC(year + 1, 1));
  const context: Parameters<typeof publishIfPossible>[0] = {
    ...app.platform,
    now,
    transaction: (work) => database.transaction(work),
  };
  await publishIfPossible(context, { org_id: org.org_id, year }, async () => undefined);
}

/** A published number, and the people whom it counts. */
type Published = { readonly name: string; readonly number: number; readonly ids: ReadonlySet<string> };

/** Finds the people behind each number of gender: those who are matched and in no report before, or all who are matched if the report has so many. */
function listPublished(
  { year, number, counts }: PublishedReport<PublishedCounts>,
  matched: readonly Person[],
  { chosen, earlier }: { readonly chosen: ReadonlySet<string>; readonly earlier: ReadonlySet<string> },
): readonly Published[] {
  const fresh = matched.filter(({ id }) => !earlier.has(id));
  const counted = counts.totals.matched === matched.length ? matched : fresh;
  expect(counted).toHaveLength(counts.totals.matched ?? 0);
  const { groups } = counts.comparisons.find(
    (each) => each.attribute === 'gender' && each.selection === 'org_interested',
  )!;
  return groups.flatMap(({ group, people: all, selected, may_include_others }) => {
    const inRow = counted.filter(({ gender }) => {
      const name = gender ?? 'not_stated';
      return groups.some((row) => row.group === name)
        ? name === group
        : group === 'other_groups' || may_include_others;
    });
    const build = (name: string, count: number, some: readonly Person[]): Published => ({
      name: `${year}/${number} ${group} ${name}`,
      number: count,
      ids: new Set(some.map(({ id }) => id)),
    });
    return [
      build('people', all!, inRow),
      ...(selected === null
        ? []
        : [
            build(
              'selected',
              selected,
              inRow.filter(({ id }) => chosen.has(id)),
            ),
          ]),
    ];
  });
}

function countApart(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one, ...other].filter((id) => one.has(id) !== other.has(id)).length;
}

test('over years of growth, returns and withdrawals, no published number and no difference of two is about fewer than ten people', async () => {
  const published: Published[] = [];
  const earlier = new Set<string>();
  let matched: readonly Person[] = [];
  // In some years hardly anybody comes; everybody who stays is matched again.
  for (const [index, coming] of [90, 3, 60, 1, 130, 0, 45, 8].entries()) {
    const year = 2010 + index;
    const staying = matched.filter((_, place) => place % 29 !== index);
    matched = [...staying, ...(await addPeople(coming))];
    const isChosen = (place: number) => (place * 7 + index) % 10 < 4;
    await match(matched, year, isChosen);
    await publish(year);
    const reports = await app.sql.list(sql<PublishedReport<PublishedCounts>>`
      select year, number, published_at, counts from bias_reports where org_id = ${org.org_id} and year = ${year}`);
    const chosen = new Set(matched.filter((_, place) => isChosen(place)).map(({ id }) => id));
    for (const report of reports) published.push(...listPublished(report, matched, { chosen, earlier }));
    for (const { ids } of published) for (const id of ids) earlier.add(id);
  }
  expect(new Set(published.map(({ name }) => name.slice(0, 6))).size).toBeGreaterThanOrEqual(4);
  for (const one of published) {
    expect([one.name, one.number]).toEqual([one.name, one.ids.size]);
    expect(one.number).toBeGreaterThanOrEqual(10);
    for (const other of published) {
      const apart = countApart(one.ids, other.ids);
      expect([one.name, other.name, apart === 0 ? one === other : apart >= 10]).toEqual([
        one.name,
        other.name,
        true,
      ]);
    }
  }
});
