import { describe, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createStub } from '#test/modules/stubs.ts';
import { createPayment, sendRead } from '#test/modules/reads.ts';
import { proves } from '#test/requirements.ts';
import { createEmail, password } from '#test/users.ts';

const app = await startApp();

const readStub = (code: string) => app.request('GET', `/identity/stub/${encodeURIComponent(code)}`);
const claim = (claim_code: string, overrides: object = {}) =>
  app.request('POST', '/identity/claim', {
    body: { claim_code, email: createEmail(), password, tos_accepted: true, ...overrides },
  });

describe('a claim', () => {
  proves(
    'stub-claim-endpoint-public',
    'stub-claim-needs-valid-code-email-password',
    'stub-claim-needs-tos-accepted-true',
    'stub-claim-unclaimed-to-claimed',
    'stub-claim-creates-user-account',
    'stub-claim-response-fields',
    'stub-claim-user-fields',
    'stub-claim-earnings-summary-fields',
    'auth-jwt-obtained-from-login-register-claim',
    'open-stub-claimed-state-name',
  );
  test('creates the account, keeps traits and earnings, and ends what the creator allowed', async () => {
    const { body: stub } = await createStub(app);
    const org = await app.registerOrgAdmin();
    await sendRead(app, org, stub.member_id, { payment: createPayment() });
    const email = createEmail();
    const { status, body, cookies } = await claim(stub.claim_code.toLowerCase(), { email });
    expect(status).toBe(201);
    const { accrued } = { accrued: body.earnings_summary.total_earned };
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 21_600,
      user: { id: expect.any(String), email, role: 'member' },
      member_id: stub.member_id,
      earnings_summary: { total_earned: accrued, pending_amount: accrued, transaction_count: 1 },
    });
    expect(accrued).toBeGreaterThan(0);
    expect(cookies['refresh_token']).toBeDefined();
    const read = (path: string) => app.request('GET', path, { token: body.access_token });
    expect((await read('/members/me/earnings')).body.total_earned).toBe(accrued);
    expect((await read('/members/me/traits')).status).toBe(200);
    expect((await read('/orgs/queries/consent/config')).body.consent_level).toBe('none');
    expect((await sendRead(app, org, stub.member_id)).body.code).toBe('member_not_found');
    expect((await readStub(stub.claim_code)).body.code).toBe('stub_claimed');
    const login = await app.request('POST', '/auth/login', { body: { email, password } });
    expect(login.status).toBe(200);
    const { status: stored } = await app.sql.one(
      sql<{ status: string }>`select status from identity_stubs where member_id = ${stub.member_id}`,
    );
    expect(stored).toBe('claimed');
  });

  test('leaves to its buyer what was read before, for the same payment and nothing else', async () => {
    const { body: stub } = await createStub(app);
    const [org, rival] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
    const payment = createPayment();
    const first = await sendRead(app, org, stub.member_id, { payment });
    expect((await claim(stub.claim_code)).status).toBe(201);
    const again = await sendRead(app, org, stub.member_id.toUpperCase(), { payment });
    expect([again.status, again.body]).toEqual([200, first.body]);
    for (const refused of [
      await sendRead(app, org, stub.member_id, { payment, data_type: 'archetype' }),
      await sendRead(app, org, stub.member_id, { payment: createPayment() }),
      await sendRead(app, rival, stub.member_id, { payment }),
    ])
      expect([refused.status, refused.body.code]).toEqual([404, 'member_not_found']);
  });

  test('succeeds once, including 20 at the same time', async () => {
    const { body: stub } = await createStub(app);
    const replies = await Promise.all(Array.from({ length: 20 }, () => claim(stub.claim_code)));
    const statuses = replies.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([201, ...Array<number>(19).fill(410)]);
    const { count } = await app.sql.one(
      sql<{ count: number }>`select count(*) from users where member_id = ${stub.member_id}`,
    );
    expect(count).toBe(1);
  });

  test('is refused for an unknown code, a taken address, a weak password, and without the terms, and changes nothing', async () => {
    const { body: stub } = await createStub(app);
    const member = await app.registerMember();
    const cases = [
      [claim('TES-0000000000'), 404, 'stub_not_found'],
      [claim('nonsense'), 404, 'stub_not_found'],
      [claim(stub.claim_code, { email: member.email }), 409, 'email_taken'],
      [claim(stub.claim_code, { password: 'weak' }), 422, 'password_too_weak'],
      [claim(stub.claim_code, { tos_accepted: false }), 422, 'field_invalid'],
    ] as const;
    for (const [reply, status, code] of cases) {
      const { body, ...rest } = await reply;
      expect([rest.status, body.code]).toEqual([status, code]);
    }
    expect((await readStub(stub.claim_code)).body.status).toBe('unclaimed');
  });
});
