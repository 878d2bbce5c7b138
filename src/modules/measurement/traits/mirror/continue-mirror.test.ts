import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { answerMirror } from '#test/modules/first-mirror.ts';
import { mirror_statements } from './choose-statement.ts';

const app = await startApp();
const request = (body: object) => app.request('POST', '/first-mirror', { body });

describe('a first mirror', () => {
  it('asks 12 to 15 statements, and names the one thing that is clear with what it rests on', async () => {
    const end = await answerMirror(app);
    expect(end.next_item).toBeNull();
    expect(end.answered).toBeGreaterThanOrEqual(mirror_statements.fewest);
    expect(end.answered).toBeLessThanOrEqual(mirror_statements.most);
    const { insight } = end;
    const trait = end.traits.find(({ trait_name }) => trait_name === insight?.trait_name);
    expect(trait).toMatchObject({ word: insight?.word, certainty: 'clear' });
    expect(trait!.lower_bound).toBeGreaterThan(0.5);
    expect(insight!.agreeing).toBe(insight!.statements);
  });

  it('names nothing while nothing is clear', async () => {
    const { insight, traits } = await answerMirror(app, 2);
    expect(insight).toBeNull();
    expect(traits.every(({ certainty }) => certainty !== 'clear')).toBe(true);
    const middle = await answerMirror(app, Infinity, () => 2);
    const unsupported = middle.traits.filter(
      ({ word, lower_bound, upper_bound }) =>
        (word === 'more' || word === 'less') && lower_bound < 0.5 && upper_bound > 0.5,
    );
    expect(unsupported).toEqual([]);
  });

  it('stores nothing', async () => {
    const listRows = async () => {
      const { rows } = await app.sql.one(
        sql<{
          rows: number;
        }>`select (select count(*) from tasks)::integer + (select count(*) from assessments)::integer
          + (select count(*) from assessment_answers)::integer + (select count(*) from audit_log)::integer
          + (select count(*) from idempotency_keys)::integer as rows`,
      );
      return rows;
    };
    const before = await listRows();
    await answerMirror(app);
    expect(await listRows()).toBe(before);
  });

  it('is the same again after a reload, and goes back to any earlier statement', async () => {
    const first = (await request({})).body;
    const second = (await request({ mirror: first.mirror, option: 4 })).body;
    const again = (await request({ mirror: second.mirror })).body;
    expect(again).toEqual(second);
    const other = (await request({ mirror: first.mirror, option: 0 })).body;
    expect([first.answered, second.answered, other.answered]).toEqual([0, 1, 1]);
  });

  it('ends after an hour, and refuses what is no mirror of this service', async () => {
    const { mirror } = (await request({})).body;
    app.clock.advance(3_600_000);
    expect((await request({ mirror, option: 1 })).status).toBe(200);
    app.clock.advance(1);
    for (const wrong of [mirror, 'abc', `${mirror.slice(0, -2)}AA`]) {
      const { status, body } = await request({ mirror: wrong, option: 1 });
      expect([status, body.code]).toEqual([410, 'mirror_expired']);
    }
  });

  it('refuses an option that the statement does not have, and an answer after the end', async () => {
    const { mirror } = (await request({})).body;
    const refused = await request({ mirror, option: 9 });
    expect([refused.status, refused.body.code]).toEqual([422, 'option_out_of_range']);
    expect((await request({ mirror, option: 'x' })).status).toBe(422);
    const end = await answerMirror(app);
    const late = await request({ mirror: end.mirror, option: 1 });
    expect([late.status, late.body.code]).toEqual([409, 'mirror_complete']);
  });

  it('counts requests by network, apart from others', async () => {
    const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
    const send = () => limited.request('POST', '/first-mirror', { body: {} });
    const { headers } = await send();
    expect(headers['ratelimit-policy']).toContain('"minute";q=120');
  });
});
