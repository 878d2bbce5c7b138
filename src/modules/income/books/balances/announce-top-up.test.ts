import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { listActs } from '#test/modules/operator.ts';
import { logInAgain } from '#test/users.ts';

const app = await startApp({ TESSERA_TOP_UP_PAYEE: 'Harbour Bank, account 17' });
const day_ms = 86_400_000;

const announce = (token: string | undefined, body: object, headers = {}) =>
  app.request('POST', '/orgs/me/balance', { ...(token !== undefined && { token }), body, headers });

test('returns a reference and where to send the money, and changes no balance', async () => {
  const org = await app.registerOrgAdmin();
  const { status, body } = await announce(org.token, { amount: 250.5 });
  expect([status, body]).toEqual([
    201,
    {
      reference: expect.stringMatching(/^TOP-[0-9A-Z]{8}$/),
      amount: 250.5,
      currency: 'USD',
      announced_at: app.clock.now().toISOString(),
      pay_to: 'Harbour Bank, account 17',
    },
  ]);
  const shown = (await app.request('GET', '/orgs/me/balance', { token: org.token })).body;
  const { reference, amount, announced_at } = body;
  expect([shown.balance, shown.announced]).toEqual([0, [{ reference, amount, announced_at }]]);
  expect(await listActs(app, 'ledger.top_up_announced', org.user_id)).toMatchObject([
    { org_id: org.org_id, detail: { reference } },
  ]);
});

test('is made once for an Idempotency-Key', async () => {
  const { token } = await app.registerOrgAdmin();
  const headers = { 'idempotency-key': 'one' };
  const replies = [
    await announce(token, { amount: 5 }, headers),
    await announce(token, { amount: 5 }, headers),
  ];
  expect(replies[1]!.body).toEqual(replies[0]!.body);
});

test('is refused beyond 20 that wait for their money, also at once; older ones make room', async () => {
  const org = await app.registerOrgAdmin();
  const { token } = org;
  const replies = await Promise.all(Array.from({ length: 23 }, () => announce(token, { amount: 5 })));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
  expect(replies.filter(({ body }) => body.code === 'too_many_transactions')).toHaveLength(3);
  app.clock.advance(61 * day_ms);
  expect((await announce(await logInAgain(app, org), { amount: 5 })).status).toBe(201);
});

test('refuses amounts that no transfer has, other roles and strangers', async () => {
  const org = await app.registerOrgAdmin();
  for (const amount of [0, 0.5, -3, 1_000_001, 1.000_000_1, '5', null]) {
    const { status, body } = await announce(org.token, { amount });
    expect([status, body.errors[0].pointer]).toEqual([422, '/amount']);
  }
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  const member = await app.registerMember();
  expect((await announce(viewer.token, { amount: 5 })).status).toBe(403);
  expect((await announce(member.token, { amount: 5 })).status).toBe(403);
  expect((await announce(undefined, { amount: 5 })).status).toBe(401);
});
