import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { answerByLink, createSeenInvitation } from '#test/modules/candidates.ts';
import { createEmail } from '#test/users.ts';

const app = await startApp();

test('refuses bad input, callers who are not logged in, and organisations', async () => {
  const { org, link } = await createSeenInvitation(app);
  const bad = await answerByLink(app, link, 'perhaps');
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/decision']);
  const path = `/members/me/invitations/${unknownId}`;
  const body = { decision: 'accept' };
  expect((await app.request('POST', path, { body })).status).toBe(401);
  expect((await app.request('POST', path, { body, token: org.token })).body.code).toBe('role_not_allowed');
  expect((await app.request('GET', '/members/me/invitations')).status).toBe(401);
  const member = await app.registerMember({ email: createEmail() });
  const unknown = await app.request('POST', path, { body, token: member.token });
  expect([unknown.status, unknown.body.code]).toEqual([404, 'candidate_invitation_not_found']);
});
