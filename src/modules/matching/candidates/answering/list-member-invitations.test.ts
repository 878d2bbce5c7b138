import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createSeenInvitation } from '#test/modules/candidates.ts';

const app = await startApp();

const listOwn = async (token: string, query = '') =>
  (await app.request('GET', `/members/me/invitations${query}`, { token })).body.data;

const verify = ({ member_id }: { member_id: string }) =>
  app.sql.run(sql`update members set email_verified = true where id = ${member_id}`);

test('an invitation waits in the account that has proven its address, and in no other', async () => {
  const member = await app.registerMember();
  const { id, readSeen } = await createSeenInvitation(app, { email: member.email });
  const path = `/members/me/invitations/${id}`;
  const accept = (token: string) => app.request('POST', path, { token, body: { decision: 'accept' } });
  // Anyone can register with the address of another person.
  expect(await listOwn(member.token)).toEqual([]);
  expect((await accept(member.token)).body.code).toBe('candidate_invitation_not_found');
  await verify(member);
  expect((await listOwn(member.token, '?status=sent')).map((each: { id: string }) => each.id)).toEqual([id]);
  const other = await app.registerDeployedMember();
  expect((await accept(other.token)).status).toBe(404);
  expect((await accept(member.token)).body.status).toBe('accepted');
  expect(await readSeen()).toEqual(['accepted', member.email]);
  expect(await listOwn(other.token)).toEqual([]);
});
