import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { not_stated } from '../rules.ts';
import { countGroupPeople, type Population } from './rules.ts';

const app = await startApp();

const nobody = { gender: null, age_band: null, ethnicity: null, disability: null };
const counts: Population = {
  people: countGroupPeople([
    { ...nobody, gender: 'woman', people: 64 },
    { ...nobody, gender: 'man', people: 57 },
    { ...nobody, gender: 'non_binary', people: 49 },
  ]),
  precision: [
    { attribute: 'gender', group: 'woman', standard_error: 0.41, items: 90.5 },
    { attribute: 'gender', group: 'non_binary', standard_error: 0.37, items: 88 },
  ],
  items: [
    {
      attribute: 'gender',
      group: 'woman',
      reference: 'man',
      compared: 120,
      moderate: 1,
      large: 0,
      items: [{ item_id: 'persistence_01', trait: 'persistence', item_class: 'moderate', effect: 0.2 }],
    },
  ],
};

const read = () => app.request('GET', '/fairness');

describe('what may be published about groups', () => {
  it('is nothing before all members are counted', async () => {
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body).toEqual({
      measured_on: null,
      members: null,
      smallest_group: 50,
      groups: [],
      questions: [],
      reports_published: 0,
    });
  });

  it('is rounded to tens, and leaves out each group of fewer than fifty people, and its precision', async () => {
    await app.sql.run(sql`
      insert into bias_populations (released_at, counts) values (${new Date('2026-03-02T03:17:00Z')}, ${JSON.stringify(counts)})`);
    const { body } = await read();
    expect(body).toMatchObject({ measured_on: '2026-03-02', members: 170 });
    const gender = body.groups.filter(({ attribute }: { attribute: string }) => attribute === 'gender');
    expect(gender).toEqual([
      { attribute: 'gender', group: 'woman', members: 60, standard_error: 0.41 },
      { attribute: 'gender', group: 'man', members: 60, standard_error: null },
    ]);
    for (const { members } of body.groups) expect([members % 10, members >= 50]).toEqual([0, true]);
    expect(body.groups.find(({ group }: { group: string }) => group === not_stated)).toMatchObject({
      attribute: 'age_band',
      members: 170,
    });
    expect(JSON.stringify(body)).not.toContain('non_binary');
  });

  it('says how many questions differ, and never which', async () => {
    const { body } = await read();
    expect(body.questions).toEqual([
      { attribute: 'gender', group: 'woman', reference: 'man', compared: 120, moderate: 1, large: 0 },
    ]);
  });

  it('takes no input', async () => {
    expect((await app.request('GET', '/fairness?year=2026')).status).toBe(422);
  });
});
