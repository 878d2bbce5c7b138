import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { unknownId } from '#test/harness.ts';
import { sendInvitation } from './send-invitation.ts';
import { createInvitation } from '#test/modules/org-users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const run = (invitation_id: string) =>
  sendInvitation.run(
    {
      ...app.platform,
      now: app.clock.now,
      signal: AbortSignal.any([]),
      reportProgress: async () => undefined,
    },
    { invitation_id },
  );

const mailsTo = async (email: string) => (await app.readMails()).filter(({ to }) => to.includes(email));

test('run twice, the task mails the same link twice', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id, email } = await createInvitation(app, token);
  await run(id);
  await run(id);
  const [first, second] = await mailsTo(email);
  expect(second!.text).toBe(first!.text);
  expect(first!.subject).toBe('You are invited to Tessera');
});

test('an invitation that was cancelled, that has expired or that never was is not mailed', async () => {
  const { token } = await app.registerOrgAdmin();
  const cancelled = await createInvitation(app, token);
  await app.request('DELETE', `/orgs/me/users/${cancelled.id}`, { token });
  const expired = await createInvitation(app, token);
  app.clock.advance(7 * 86_400_000);
  for (const id of [cancelled.id, expired.id, unknownId]) await run(id);
  expect([...(await mailsTo(cancelled.email)), ...(await mailsTo(expired.email))]).toEqual([]);
});
