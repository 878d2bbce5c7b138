import { expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { sql } from '#platform/database/database.ts';
import { isGraded, itemBank } from '#modules/measurement/traits';
import { startApp } from '#test/harness.ts';
import { fillMeans, fillSlots, insertMembers, runTask } from '#test/modules/matching.ts';
import { measurePopulation } from './measure-population.ts';

const app = await startApp();
const statements = [
  'sincerity_01',
  'sincerity_02',
  'sincerity_03',
  'sincerity_05',
  'sincerity_08',
  'sincerity_09',
];
const planted = 'sincerity_03';

/** Inserts members who have said their gender, with a complete assessment of six statements. Women agree more with one of them. */
async function insertGroup(gender: 'woman' | 'man', people: number): Promise<void> {
  const random = createSeededRandom(people);
  const ids = await insertMembers(
    app,
    Array.from({ length: people }, () => ({ mean: fillMeans(0), variance: fillSlots(0.16) })),
  );
  const options = ids.map(() => {
    const theta = drawStandardNormal(random);
    return statements.map((id) => {
      const item = itemBank.itemsById.get(id)!;
      const moved = id === planted && gender === 'woman' ? 1 : 0;
      const keyed = Math.min(
        4,
        Math.max(0, Math.round(2 + theta + 0.7 * drawStandardNormal(random)) + moved),
      );
      return isGraded(item) && item.reversed ? 4 - keyed : keyed;
    });
  });
  await app.sql.run(sql`
    insert into self_identifications (member_id, genders, updated_at) select id, array[${gender}::text], now() from unnest(${ids}::uuid[]) as id`);
  await app.sql.run(sql`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), id, 'demographic_self_identification', true, '1.0', now() from unnest(${ids}::uuid[]) as id`);
  await app.sql.run(sql`
    insert into assessments (id, member_id, item_bank_version, parameter_version, stage, started_at, completed_at, item_ids, options)
    select gen_random_uuid(), member_id, ${itemBank.version}, ${itemBank.parameter_version}, 'complete', now(), now(), ${statements},
      string_to_array(options, ' ')::smallint[]
    from unnest(${ids}::uuid[], ${options.map((each) => each.join(' '))}::text[]) as given (member_id, options)`);
}

test('a statement that works differently for a group is in the count, and becomes a finding for the operator', async () => {
  await insertGroup('woman', 220);
  await insertGroup('man', 320);
  await runTask(app, measurePopulation, {});
  const { counts } = await app.sql.one(sql<{ counts: { precision: unknown; items: readonly object[] } }>`
    select counts from bias_populations`);
  expect(counts.items).toMatchObject([
    { attribute: 'gender', group: 'woman', reference: 'man', compared: 6, items: [{ item_id: planted }] },
  ]);
  expect(counts.precision).toEqual([
    { attribute: 'gender', group: 'man', standard_error: 0.4, items: 6 },
    { attribute: 'gender', group: 'woman', standard_error: 0.4, items: 6 },
  ]);
  const found = await app.sql.list(sql`
    select kind, item_ids, subject, compared_with, answered, respondents, parameter_version from item_findings`);
  expect(found).toEqual([
    {
      kind: 'differs',
      item_ids: [planted],
      subject: 'gender woman',
      compared_with: 'man',
      answered: 540,
      respondents: 540,
      parameter_version: itemBank.parameter_version,
    },
  ]);
});
