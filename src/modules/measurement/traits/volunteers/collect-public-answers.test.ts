import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { itemBank } from '../items/item-bank.ts';
import { calibrateItems } from '../calibration/calibrate-items.ts';

const app = await startApp();
const silent = { isTTY: false, write: () => true };
const calibrate = (options: Readonly<Record<string, string>>) =>
  calibrateItems(app.platform, { answers: 'public', ...options }, silent);

/** Adds complete tests of volunteers: each has answered the statements from `from` on. */
async function insertTests(
  { sql: database, clock }: TestApp,
  count: number,
  kind: 'careful' | 'careless' | 'second',
) {
  const ids = itemBank.graded.map(({ id }) => id);
  for (let person = 0; person < count; person++) {
    const asked = ids.filter((_, place) => (place + person) % 4 !== 0);
    const options = asked.map((_, place) => (place * 7 + person * 3 + ((place * person) % 5)) % 5);
    await database.run(sql`
      insert into volunteers (id, code_hash, first_id, consent_version, item_bank_version, parameter_version, asked_at, started_at,
        completed_at, item_ids, options, response_times_ms, quality_flags)
      values (gen_random_uuid(), decode(md5(random()::text), 'hex'),
        case when ${kind}::text = 'second' then (select id from volunteers as first where first_id is null
          and not exists (select from volunteers as second where second.first_id = first.id) limit 1) end,
        '1.0', ${itemBank.version}, ${itemBank.parameter_version}, ${clock.now()}, ${clock.now()}, ${clock.now()},
        ${asked}::text[], ${options}::smallint[], ${options}::integer[],
        case when ${kind}::text = 'careless' then '{too_fast}'::text[] else '{}' end)`);
  }
}

describe('calibrating with the answers of volunteers', () => {
  it('needs as many people as any calibration, and no other source', async () => {
    await expect(calibrate({})).rejects.toThrow('at least 100 respondents, but only 0 are available');
    await expect(calibrate({ csv: 'answers.csv' })).rejects.toThrow('name two sources');
    await expect(calibrate({ answers: 'everybody' })).rejects.toThrow('--answers is "public"');
    await expect(calibrate({ bank: 'unknown' })).rejects.toThrow('does not exist');
  });

  it('counts each person once, leaves out careless answers, and says what is missing', async () => {
    await insertTests(app, 100, 'careful');
    await insertTests(app, 6, 'careless');
    await insertTests(app, 9, 'second');
    const { version, respondents, left_out, missing, provisional } = await calibrate({});
    expect(version).toMatch(new RegExp(`^${itemBank.version}\\.`));
    expect([respondents, provisional, left_out]).toEqual([
      100,
      true,
      { careless: 6, columns: 0, retests: 9, languages: 0 },
    ]);
    const cells = 100 * itemBank.graded.length;
    const { given } = await app.sql.one(sql<{ given: number }>`
      select sum(cardinality(item_ids))::integer as given from volunteers where first_id is null and quality_flags = '{}'`);
    expect(missing).toEqual({ cells: cells - given, respondents: 0, columns: 0, unused_respondents: 0 });
  });
});
