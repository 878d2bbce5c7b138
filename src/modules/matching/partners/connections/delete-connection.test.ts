import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { answerByLink, readInvitationToken } from '#test/modules/candidates.ts';
import { connectAshby, createOrder } from '#test/modules/partners.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const path = '/orgs/me/partners/ashby';

test('a system that is disconnected gets no notice any more, and that of another organisation stays', async () => {
  const [ours, theirs] = [await connectAshby(app), await connectAshby(app)];
  const orders = [await createOrder(app, ours), await createOrder(app, theirs)];
  const { token } = ours.org;
  expect((await app.request('DELETE', path, { token })).status).toBe(204);
  for (const { email } of orders) await answerByLink(app, await readInvitationToken(app, email), 'decline');
  await app.drainQueue();
  expect([ours.readView(orders[0]!.id).status, theirs.readView(orders[1]!.id).status]).toEqual([
    'sent',
    'cancelled',
  ]);
  const repeated = await app.request('DELETE', path, { token });
  expect([repeated.status, repeated.body.code]).toEqual([409, 'partner_not_connected']);
});

test('refuses bad input, callers who are not logged in, and members', async () => {
  const [{ token }, member] = [await app.registerOrgAdmin(), await app.registerMember()];
  expect((await app.request('DELETE', '/orgs/me/partners/lever', { token })).status).toBe(422);
  expect((await app.request('DELETE', path)).status).toBe(401);
  expect((await app.request('DELETE', path, { token: member.token })).status).toBe(403);
});
