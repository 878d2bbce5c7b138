import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { answerForScience, simulatePerson, startVolunteer } from '#test/modules/volunteers.ts';

const app = await startApp();
const answer = (code: string, body: object) => app.request('POST', `/volunteers/${code}/answers`, { body });

describe('answering for science', () => {
  it('says nothing before the end, and then what is clear, with bounds that support each word', async () => {
    const amid = await answerForScience(app, await startVolunteer(app), 20);
    expect([amid.answered, amid.result]).toEqual([20, null]);
    const ends = [];
    for (let seed = 1; seed <= 12; seed++)
      ends.push(await answerForScience(app, await startVolunteer(app), Infinity, simulatePerson(seed)));
    expect(ends.map(({ answered, next_item }) => [answered, next_item])).toEqual(ends.map(() => [50, null]));
    const clear = ends.flatMap(({ result }) =>
      result!.traits.filter(({ certainty }) => certainty === 'clear'),
    );
    const sided = clear.filter(({ word }) => word !== 'average');
    expect(sided.length).toBeGreaterThan(0);
    expect(sided.filter(({ lower_bound, upper_bound }) => lower_bound <= 0.5 && upper_bound >= 0.5)).toEqual(
      [],
    );
    const shown = ends.filter(({ result }) => result!.traits.some(({ certainty }) => certainty === 'clear'));
    expect(shown.map(({ result }) => result!.insight)).not.toContain(null);
  });

  it('counts the first answer to an item: a second tab and a second request change nothing', async () => {
    const { code, next_item } = await startVolunteer(app);
    const { item_id } = next_item!;
    const replies = await Promise.all([
      answer(code, { item_id, option: 4 }),
      answer(code, { item_id, option: 0 }),
    ]);
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const late = await answer(code, { item_id, option: 2 });
    expect([late.status, late.body.code]).toEqual([409, 'item_not_asked']);
    expect((await app.request('GET', `/volunteers/${code}`)).body.answered).toBe(1);
  });

  it('refuses options that the item does not have, unknown codes and answers after the end', async () => {
    const { code, next_item } = await startVolunteer(app);
    const { item_id } = next_item!;
    const wide = await answer(code, { item_id, option: 9 });
    expect([wide.status, wide.body.code]).toEqual([422, 'option_out_of_range']);
    expect((await answer(code, { item_id, option: 'x' })).status).toBe(422);
    const unknown = await answer('hV0mC8y1Qm2bT6o3wzJ4Kw', { item_id, option: 1 });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'volunteer_not_found']);
    await answerForScience(app, await startVolunteer(app));
    const end = await answerForScience(app, (await app.request('GET', `/volunteers/${code}`)).body);
    expect((await answer(end.code, { item_id, option: 1 })).status).toBe(409);
  });

  it('marks scripted answers, which no calibration reads', async () => {
    let body = await startVolunteer(app);
    while (body.next_item) {
      app.clock.advance(150);
      const { item_id } = body.next_item;
      body = (await answer(body.code, { item_id, option: 2 })).body;
    }
    expect(body.result!.flags).toContain('straight_lining');
    const { quality_flags } = await app.sql.one(sql<{ quality_flags: string[] }>`
      select quality_flags from volunteers order by completed_at desc nulls last, started_at desc limit 1`);
    expect(quality_flags).toEqual(body.result!.flags);
  });

  it('is stored apart from members', async () => {
    const { rows } = await app.sql.one(sql<{ rows: number }>`
      select (select count(*) from members)::integer + (select count(*) from assessments)::integer
        + (select count(*) from trait_vectors)::integer + (select count(*) from users)::integer as rows`);
    expect(rows).toBe(0);
  });
});
