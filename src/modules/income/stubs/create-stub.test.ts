import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createStub } from '#test/modules/stubs.ts';

const app = await startApp();

test('a stub stores its code nowhere', async () => {
  const { body } = await createStub(app);
  const characters = body.claim_code.slice(4);
  const tables = await app.sql.list(sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`);
  for (const { name } of tables) {
    const { rows } = await app.sql.transaction((tx) =>
      tx.client.query(`select from "${name}" as stored where stored::text ilike $1 limit 1`, [
        `%${characters}%`,
      ]),
    );
    expect({ name, rows }).toEqual({ name, rows: [] });
  }
});

test('a stub needs the agreement of its person, and valid observations', async () => {
  const cases = [
    { subject_agreed: false },
    { observations: [] },
    { observations: [{ trait: 'decision_mode', level: 'above', confidence: 'low' }] },
    { categories: ['salary'] },
  ];
  for (const body of cases) expect((await createStub(app, body)).body.code).toBe('field_invalid');
});

test('a network creates no crowd of stubs', async () => {
  const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const created: number[] = [];
  for (let attempt = 0; attempt < 32; attempt++) created.push((await createStub(limited)).status);
  expect(created.filter((status) => status === 201)).toHaveLength(30);
  expect(created.slice(30)).toEqual([429, 429]);
});
