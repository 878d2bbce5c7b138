import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { createInvitation } from '#test/modules/org-users.ts';
import { sendInvitation } from './send-invitation.ts';

const app = await startApp();

const run = (invitation_id: string) =>
  sendInvitation.run(
    {
      ...app.platform,
      now: app.clock.now,
      signal: AbortSignal.any([]),
      reportProgress: async () => undefined,
    },
    { invitation_id, org_id: unknownId },
  );

const listMailsTo = async (email: string) => (await app.readMails()).filter(({ to }) => to.includes(email));

test('sends the same link when it runs twice', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id, email } = await createInvitation(app, token);
  await run(id);
  await run(id);
  const [first, second] = await listMailsTo(email);
  expect(second!.text).toBe(first!.text);
  expect(first!.subject).toBe('You are invited to Tessera');
});

test('sends nothing for an invitation that was cancelled, has expired or does not exist', async () => {
  const { token } = await app.registerOrgAdmin();
  const cancelled = await createInvitation(app, token);
  await app.request('DELETE', `/orgs/me/users/${cancelled.id}`, { token });
  const expired = await createInvitation(app, token);
  app.clock.advance(7 * 86_400_000);
  for (const id of [cancelled.id, expired.id, unknownId]) await run(id);
  expect([...(await listMailsTo(cancelled.email)), ...(await listMailsTo(expired.email))]).toEqual([]);
});
