import { expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { enableMfa, requestTicket } from '#test/modules/auth.ts';
import { startApp } from '#test/harness.ts';
import { addTestPasskey } from '#test/modules/passkeys.ts';
import { erasePersonalData, exportPersonalData } from './personal-data.ts';

const app = await startApp();

const exportRows = async (member_id: string) =>
  Object.fromEntries((await exportPersonalData(app.sql, member_id)).map(({ name, rows }) => [name, rows]));

it('exports everything about how a member logs in, and no secret', async () => {
  const member = await app.registerMember();
  const { secret, recovery_codes } = await enableMfa(app, member);
  await requestTicket(app, member);
  await addTestPasskey(app, member);
  await app.registerMember();
  const rowsByName = await exportRows(member.member_id);
  expect(Object.fromEntries(Object.entries(rowsByName).map(([name, rows]) => [name, rows.length]))).toEqual({
    users: 1,
    sessions: 1,
    refresh_tokens: 1,
    mailed_tokens: 1,
    authenticators: 1,
    recovery_codes: 10,
    mfa_tickets: 1,
    passkeys: 1,
  });
  expect(rowsByName['users']![0]).toMatchObject({ id: member.user_id, email: member.email });
  const text = JSON.stringify(rowsByName);
  for (const part of ['$argon2', 'hash', 'sealed', secret, ...recovery_codes])
    expect(text).not.toContain(part);
});

it('erases all data of the member, and no data of other members', async () => {
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  await enableMfa(app, member);
  await requestTicket(app, member);
  await addTestPasskey(app, member);
  const before = await exportRows(other.member_id);
  await app.sql.transaction((tx) => erasePersonalData(tx, member.member_id));
  for (const rows of Object.values(await exportRows(member.member_id))) expect(rows).toEqual([]);
  for (const table of [
    'sessions',
    'mailed_tokens',
    'authenticators',
    'recovery_codes',
    'mfa_tickets',
    'passkeys',
  ])
    expect([table, await countRows(table, member.user_id)]).toEqual([table, 0]);
  expect(await exportRows(other.member_id)).toEqual(before);
});

async function countRows(table: string, user_id: string): Promise<number> {
  const { count } = await app.sql.one(sql<{ count: string }>`
    select (xpath('//count/text()', query_to_xml(${`select count(*) from ${table} where user_id = '${user_id}'`}, false, true, '')))[1]::text as count`);
  return Number(count);
}
