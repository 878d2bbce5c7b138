import { beforeAll, expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { recordSoldRead } from '#test/modules/books.ts';
import { createPayment, findAliases, registerReadable, sendRead } from '#test/modules/reads.ts';

let pseudonym: string;
const app = await startApp({ TESSERA_RETENTION_SECONDS: '0' });
const member = await registerReadable(app);
const org = await app.registerOrgAdmin();
beforeAll(async () => {
  const [alias] = await findAliases(app, org, [member]);
  const free = await sendRead(app, org, alias!, { data_type: 'archetype' });
  pseudonym = free.body.data.member_pseudonym;
  app.clock.advance(60_000);
  await sendRead(app, org, alias!, { payment: createPayment() });
});

const list = (token: string | undefined, query = '') =>
  app.request('GET', `/orgs/queries/reads${query}`, token === undefined ? {} : { token });

test('an organisation lists who read what, when and for how much, newest first, by the pseudonym of the reads', async () => {
  const { status, body } = await list(org.token, '?limit=1');
  expect([status, body.data]).toEqual([
    200,
    [
      {
        id: expect.any(String),
        member_pseudonym: pseudonym,
        user_id: expect.any(String),
        data_type: 'trait_profile',
        payment_type: 'x402',
        price: expect.any(Number),
        price_aud: null,
        status: 'recorded',
        created_at: app.clock.now().toISOString(),
      },
    ],
  ]);
  expect(body.data[0].price).toBeGreaterThan(0);
  expect(body.pagination.total_count).toBe(2);
  const next = (await list(org.token, `?limit=1&cursor=${body.pagination.next_cursor}`)).body;
  expect(next.data).toMatchObject([{ data_type: 'archetype', payment_type: 'allowance', price: 0 }]);
  expect(JSON.stringify([body, next])).not.toContain(member.member_id);
});

test('viewers and auditors see the list, members and strangers do not, and another organisation sees none of it', async () => {
  for (const role of ['org_viewer', 'auditor'] as const) {
    const colleague = await createColleague(app, org.org_id, role);
    expect((await list(colleague.token)).body.data).toHaveLength(2);
  }
  expect((await list(member.token)).body.code).toBe('role_not_allowed');
  expect((await list(undefined)).status).toBe(401);
  expect((await list((await app.registerOrgAdmin()).token)).body.data).toEqual([]);
});

test('a wrong cursor is refused', async () => {
  expect((await list(org.token, '?cursor=wrong')).body.code).toBe('cursor_invalid');
});

test('after an erasure, the reads stay, under one pseudonym that names nobody', async () => {
  const { org_id, token } = await app.registerOrgAdmin();
  const leaving = await app.registerMember();
  for (const gross of [4_000_000n, 33_333n]) await recordSoldRead(app, leaving.member_id, { gross, org_id });
  const listPseudonyms = async () =>
    new Set((await list(token)).body.data.map((read: { member_pseudonym: string }) => read.member_pseudonym));
  const before = await listPseudonyms();
  expect((await app.request('DELETE', '/members/me', { token: leaving.token })).status).toBeLessThan(300);
  await app.drainQueue();
  const after = await listPseudonyms();
  expect([before.size, after.size]).toEqual([1, 1]);
  expect(after).not.toEqual(before);
  expect((await list(token)).body.pagination.total_count).toBe(2);
});
