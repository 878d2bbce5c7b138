import { beforeAll, expect, it } from 'vitest';
import { erasePersonalData, exportPersonalData } from './personal-data.ts';
import { enableMfa, requestTicket } from '#test/modules/auth.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const held = async (member_id: string) =>
  Object.fromEntries((await exportPersonalData(app.sql, member_id)).map(({ name, rows }) => [name, rows]));

it('everything about how a member signs in is exported, and nothing that would let anybody in', async () => {
  const person = await app.registerMember();
  const { secret, recovery_codes } = await enableMfa(app, person);
  await requestTicket(app, person);
  await app.registerMember();
  const all = await held(person.member_id);
  expect(Object.fromEntries(Object.entries(all).map(([name, rows]) => [name, rows.length]))).toEqual({
    users: 1,
    sessions: 1,
    refresh_tokens: 1,
    mailed_tokens: 1,
    authenticators: 1,
    recovery_codes: 10,
    mfa_tickets: 1,
  });
  expect(all['users']![0]).toMatchObject({ id: person.user_id, email: person.email });
  const text = JSON.stringify(all);
  for (const part of ['$argon2', 'hash', 'sealed', secret, ...recovery_codes])
    expect(text).not.toContain(part);
});

it('erasure leaves nothing of the member, and all of everybody else', async () => {
  const [person, other] = [await app.registerMember(), await app.registerMember()];
  await enableMfa(app, person);
  await requestTicket(app, person);
  const before = await held(other.member_id);
  await app.sql.transaction((tx) => erasePersonalData(tx, person.member_id));
  for (const rows of Object.values(await held(person.member_id))) expect(rows).toEqual([]);
  for (const table of ['sessions', 'mailed_tokens', 'authenticators', 'recovery_codes', 'mfa_tickets'])
    expect([table, await rowsOf(table, person.user_id)]).toEqual([table, 0]);
  expect(await held(other.member_id)).toEqual(before);
});

async function rowsOf(table: string, user_id: string): Promise<number> {
  const { count } = await app.sql.one(sql<{ count: string }>`
    select (xpath('//count/text()', query_to_xml(${`select count(*) from ${table} where user_id = '${user_id}'`}, false, true, '')))[1]::text as count`);
  return Number(count);
}
