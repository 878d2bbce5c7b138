import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { createStub, observations } from '#test/modules/identity.ts';
import { createPayment, readBooks, sendQuery } from '#test/modules/queries.ts';
import { proves } from '#test/requirements.ts';
import { createEmail, password } from '#test/users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const readStub = (code: string) => app.request('GET', `/identity/stub/${encodeURIComponent(code)}`);
const claim = (claim_code: string, overrides: object = {}) =>
  app.request('POST', '/identity/claim', {
    body: { claim_code, email: createEmail(), password, tos_accepted: true, ...overrides },
  });

describe('a stub', () => {
  proves(
    'stub-fields',
    'stub-is-anonymous-and-claimable',
    'stub-attunement-band-value-known',
    'stub-status-value-unclaimed',
    'stub-get-endpoint-public',
    'open-values-attunement-band',
  );
  test('is read by its code without an account, and names nobody', async () => {
    const { status, body: created } = await createStub(app);
    expect(status).toBe(201);
    const expected = {
      claim_code: expect.stringMatching(/^TES-[0-9A-HJKMNP-TV-Z]{10}$/),
      trait_count: 8,
      query_count: 0,
      accrued_earnings: 0,
      attunement_band: 'Known',
      created_at: expect.any(String),
      status: 'unclaimed',
    };
    expect(created).toEqual({ ...expected, member_id: expect.any(String) });
    const typed = created.claim_code.toLowerCase().replace('-', '');
    expect((await readStub(typed)).body).toEqual({ ...expected, claim_code: created.claim_code });
  });

  test('stores its code nowhere', async () => {
    const { body } = await createStub(app);
    const characters = body.claim_code.slice(4);
    const tables = await app.sql.list(sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`);
    for (const { name } of tables) {
      const { rows } = await app.sql.transaction((tx) =>
        tx.client.query(`select from "${name}" as stored where stored::text ilike $1 limit 1`, [
          `%${characters}%`,
        ]),
      );
      expect(rows, name).toHaveLength(0);
    }
  });

  test('is read and earns before it is claimed, and shows it', async () => {
    const { body: stub } = await createStub(app);
    const org = await app.registerOrgAdmin();
    const free = await sendQuery(app, org, stub.member_id);
    expect([free.status, free.body.data.data_completeness]).toEqual([200, 'partial']);
    expect((await sendQuery(app, org, stub.member_id, { payment: createPayment() })).status).toBe(200);
    const { body } = await readStub(stub.claim_code);
    expect(body.query_count).toBe(2);
    const { income } = await readBooks(app);
    expect(body.accrued_earnings).toBe(income / 1_000_000);
    expect(body.accrued_earnings).toBeGreaterThan(0);
    const refused = await sendQuery(app, org, stub.member_id, { data_type: 'values_profile' });
    expect(refused.body.code).toBe('category_not_approved');
  });

  test('is known better with more observations', async () => {
    const { body: stub } = await createStub(app, { observations: observations.slice(0, 2) });
    expect([stub.trait_count, stub.attunement_band]).toEqual([2, 'Glimpsed']);
    const { status, body } = await app.request('POST', `/identity/stubs/${stub.claim_code}/observations`, {
      body: { observations },
    });
    expect([status, body.trait_count, body.attunement_band]).toEqual([200, 8, 'Known']);
  });

  test('needs the agreement of its person, and valid observations', async () => {
    const cases = [
      { subject_agreed: false },
      { observations: [] },
      { observations: [{ trait: 'decision_mode', level: 'above', confidence: 'low' }] },
      { categories: ['salary'] },
    ];
    for (const body of cases) expect((await createStub(app, body)).body.code).toBe('field_invalid');
  });
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
    await sendQuery(app, org, stub.member_id, { payment: createPayment() });
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
    expect((await sendQuery(app, org, stub.member_id)).body.code).toBe('member_not_found');
    expect((await readStub(stub.claim_code)).body.code).toBe('stub_claimed');
    const login = await app.request('POST', '/auth/login', { body: { email, password } });
    expect(login.status).toBe(200);
    const { status: stored } = await app.sql.one(
      sql<{ status: string }>`select status from identity_stubs where member_id = ${stub.member_id}`,
    );
    expect(stored).toBe('claimed');
  });

  test('succeeds once, also for 20 at the same time', async () => {
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

describe('with rate limits', () => {
  test('a network that tries codes is stopped, and creates no crowd of stubs', async () => {
    const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 25; attempt++) {
      const code = `TES-${String(attempt).padStart(10, '0')}`;
      statuses.push((await limited.request('GET', `/identity/stub/${code}`)).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array<number>(20).fill(404));
    expect(statuses.slice(20)).toEqual(Array<number>(5).fill(429));
    limited.clock.advance(901_000);
    const created: number[] = [];
    for (let attempt = 0; attempt < 32; attempt++) created.push((await createStub(limited)).status);
    expect(created.filter((status) => status === 201)).toHaveLength(30);
    expect(created.slice(30)).toEqual([429, 429]);
  });
});
