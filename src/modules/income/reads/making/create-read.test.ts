import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  approveCategory,
  createPayment,
  decideConsent,
  encodePayment,
  findAliases,
  readBooks,
  registerReadable,
  sendRead,
  spendAllowance,
  useQuota,
} from '#test/modules/reads.ts';
import { proves } from '#test/requirements.ts';
import type { TestMember, TestOrgUser } from '#test/users.ts';

let member: TestMember;
let org: TestOrgUser;
let alias: string;
const app = await startApp();
beforeEach(async () => {
  await app.sql.run(sql`update members set matching_consented = false`);
  member = await registerReadable(app);
  org = await app.registerOrgAdmin();
  [alias] = (await findAliases(app, org, [member])) as [string];
});

const query = (options: Parameters<typeof sendRead>[3] = {}, name = alias) =>
  sendRead(app, org, name, options);

describe('a read', () => {
  proves(
    'query-credential-endpoint-x402',
    'query-credential-request-fields',
    'query-result-data-fields',
    'query-result-trait-tiers-fields',
    'query-result-trait-tier-values-seen',
    'query-result-data-completeness-value-comprehensive',
    'query-result-metadata-fields',
    'query-result-consent-level-value-full',
    'query-result-no-numeric-scores',
    'query-reads-gated-and-pseudonymised',
    'query-credential-enforces-rate-limits',
    'query-daily-allowance-per-organisation',
    'open-values-trait-tier-labels',
    'open-values-data-completeness',
    'open-values-data-type',
  );
  test('returns labels and a pseudonym, and no number about the member and no name', async () => {
    const { status, body } = await query();
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        member_pseudonym: expect.stringMatching(/^[\w-]{22}$/),
        archetype: expect.any(String),
        trait_tiers: {
          adaptive_capacity: expect.any(String),
          cognitive_style: expect.any(String),
          interpersonal_orientation: expect.any(String),
          drive_architecture: expect.any(String),
          integrity_trust: expect.any(String),
        },
        data_completeness: 'comprehensive',
      },
      query_metadata: {
        data_type: 'trait_profile',
        payment_type: 'allowance',
        remaining_daily_queries: 99,
        consent_level: 'full',
      },
    });
    for (const tier of Object.values(body.data.trait_tiers))
      expect(['high', 'strong', 'moderate', 'emerging']).toContain(tier);
    expect(JSON.stringify(body)).not.toContain(member.member_id);
    expect(JSON.stringify(body)).not.toContain('Test Person');
  });

  test('contains only what was bought, and the archetype with a trait profile if that category is approved', async () => {
    const archetype = (await query({ data_type: 'archetype' })).body.data;
    expect(new Set(Object.values(archetype.trait_tiers))).toEqual(new Set(['not_included']));
    expect(archetype.archetype).not.toBe('not_included');
    const values = (await query({ data_type: 'values_profile' })).body.data;
    expect(values.archetype).toBe('not_included');
    expect(Object.keys(values.values)).toEqual([
      'achievement',
      'independence',
      'purpose',
      'perseverance',
      'honesty',
      'responsibility',
    ]);
    await approveCategory(app, member, 'archetype', false);
    const profile = await query();
    expect(profile.body.data.archetype).toBe('not_included');
    expect(profile.body.query_metadata.consent_level).toBe('selective');
  });

  test('is written to the audit log of the organisation, without the member’s id, and to the member’s', async () => {
    await query();
    const entries = (await app.request('GET', '/audit-log?action=queries.recorded', { token: org.token }))
      .body.data;
    expect(entries).toMatchObject([
      { member_id: null, detail: { data_type: 'trait_profile', payment_type: 'allowance' } },
    ]);
    const own = (await app.request('GET', '/audit-log?action=queries.recorded', { token: member.token })).body
      .data;
    expect(own).toMatchObject([{ member_id: member.member_id, org_id: org.org_id }]);
    expect(own[0].actor_user_id ?? null).toBeNull();
  });

  test('emits an event for the service itself', async () => {
    await query();
    const event = await app.sql.one(sql<{ data: object }>`
      select data from events where type = 'reads.readRecorded' and data->>'member_id' = ${member.member_id}`);
    expect(event.data).toMatchObject({ org_id: org.org_id, data_type: 'trait_profile', gross_micros: 0 });
  });
});

describe('a payment', () => {
  proves(
    'payment-org-pays-per-query-x402',
    'payment-x402-carries-payment-only',
    'ledger-credential-query-records-transaction',
    'open-undefined-rest-payment-proof-transport',
  );
  test('does not replace the login', async () => {
    const { status, body } = await app.request('POST', '/orgs/queries/credential', {
      body: { member_id: alias, data_type: 'archetype' },
      headers: encodePayment(createPayment()),
    });
    expect([status, body.code]).toEqual([401, 'authentication_required']);
  });

  test('is asked for when the free allowance is used up, with the price, and then buys the read', async () => {
    await spendAllowance(app, org);
    const unpaid = await query();
    expect([unpaid.status, unpaid.body.code]).toEqual([402, 'payment_required']);
    expect(unpaid.body.pricing).toMatchObject({ price: 0.5, currency: 'USD', data_type: 'trait_profile' });
    expect(unpaid.headers['payment-required']).toEqual(expect.any(String));
    const paid = await query({ payment: createPayment() });
    expect([paid.status, paid.body.query_metadata.payment_type]).toEqual([200, 'x402']);
    expect(paid.headers['payment-response']).toEqual(expect.any(String));
    const read = await app.sql.one(sql<object>`
      select data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps from reads where member_id = ${member.member_id}`);
    expect(read).toEqual({
      data_type: 'trait_profile',
      payment_type: 'mock',
      gross_micros: 500_000,
      member_micros: 375_000,
      share_bps: 7_500,
      multiplier_bps: 20_000,
    });
  });

  test('that is sent pays also while free reads are left, and takes none of them', async () => {
    const paid = await query({ payment: createPayment() });
    expect(paid.body.query_metadata.payment_type).toBe('x402');
    const { count } = await app.sql.one(
      sql<{ count: number }>`select count(*) from read_allowances where org_id = ${org.org_id}`,
    );
    expect(count).toBe(0);
  });

  test('sent again returns the stored result, takes nothing and reads nothing', async () => {
    const payment = createPayment();
    const first = await query({ payment });
    const before = await readBooks(app);
    const again = await query({ payment });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers['payment-response']).toBe(first.headers['payment-response']);
    expect(await readBooks(app)).toEqual(before);
    expect((await query({ payment: createPayment() })).body.query_metadata.remaining_daily_queries).toBe(
      first.body.query_metadata.remaining_daily_queries - 1,
    );
  });

  test('sent again returns the stored result after the member withdrew consent, and when the quota is spent', async () => {
    const payment = createPayment();
    const first = await query({ payment });
    await useQuota(app, org, 100);
    expect((await query({ payment })).body).toEqual(first.body);
    await decideConsent(app, member, 'identity_queries', false);
    expect((await query({ payment })).body).toEqual(first.body);
    expect((await query({ payment: createPayment() })).body.code).toBe('consent_required');
  });

  test('made for one member, data type or organisation buys nothing else', async () => {
    const payment = createPayment();
    const stranger = await registerReadable(app);
    const rival = await app.registerOrgAdmin();
    const [, other] = await findAliases(app, org, [member, stranger]);
    const [theirs] = await findAliases(app, rival, [member]);
    expect((await query({ payment })).status).toBe(200);
    const before = await readBooks(app);
    for (const reply of [
      await query({ payment }, other),
      await query({ payment, data_type: 'archetype' }),
      await sendRead(app, rival, theirs!, { payment }),
    ])
      expect([reply.status, reply.body.code]).toEqual([409, 'payment_already_used']);
    expect(await readBooks(app)).toEqual(before);
  });

  test('that is malformed is refused before anything else is read', async () => {
    const { status, body } = await app.request('POST', '/orgs/queries/credential', {
      token: org.token,
      body: { member_id: alias, data_type: 'archetype' },
      headers: { 'payment-signature': '!' },
    });
    expect([status, body.code]).toEqual([400, 'malformed_payment']);
  });
});

describe('the price', () => {
  test('that was quoted is enough for 15 minutes even if it has risen since', async () => {
    await spendAllowance(app, org);
    // As if the member had been quoted for less.
    await app.sql.run(sql`
      insert into read_quotes (member_id, org_id, data_type, price_micros, expires_at)
      values (${member.member_id}, ${org.org_id}, 'trait_profile', 200000, ${new Date(app.clock.now().getTime() + 900_000)})`);
    await query({ payment: createPayment() });
    app.clock.advance(900_001);
    await query({ payment: createPayment() });
    const reads = await app.sql.list(sql<{ gross_micros: number }>`
      select gross_micros from reads where member_id = ${member.member_id} order by created_at`);
    expect(reads.map(({ gross_micros }) => gross_micros)).toEqual([200_000, 500_000]);
  });
});

describe('a refused read takes nothing', () => {
  proves('query-credential-verifies-consent', 'open-daily-credential-query-quota');
  const expectRefusal = async (
    reply: Promise<{ status: number; body: { code: string } }>,
    status: number,
    code: string,
  ) => {
    const before = await readBooks(app);
    const { body, ...rest } = await reply;
    expect([rest.status, body.code]).toEqual([status, code]);
    expect(await readBooks(app)).toEqual(before);
    const used = await app.sql.one(sql<{ count: number }>`
      select coalesce(sum(read_count), 0)::int as count from read_counts where org_id = ${org.org_id} and read_count < 100`);
    expect(used.count).toBe(0);
  };
  const createPaid = () => ({ payment: createPayment() });

  test('unknown ids, real ids and aliases of other organisations name nobody', async () => {
    const rival = await app.registerOrgAdmin();
    const [theirs] = await findAliases(app, rival, [member]);
    for (const name of [unknownId, member.member_id, theirs!])
      await expectRefusal(query(createPaid(), name), 404, 'member_not_found');
  });

  test('the real id names the member from the time when both have agreed', async () => {
    const match = (await app.request('GET', '/orgs/me/matches', { token: org.token })).body.data[0];
    await app.request('PUT', `/matches/${match.id}/status`, {
      token: org.token,
      body: { status: 'org_interested' },
    });
    await expectRefusal(query(createPaid(), member.member_id), 404, 'member_not_found');
    await app.request('POST', `/matches/${match.id}/response`, {
      token: member.token,
      body: { decision: 'accept' },
    });
    const [byId, byAlias] = [await query({}, member.member_id), await query({})];
    expect([byId.status, byAlias.status]).toEqual([200, 200]);
    expect(byId.body.data.member_pseudonym).toBe(byAlias.body.data.member_pseudonym);
  });

  test('without consent, without the category, or below level 3', async () => {
    await approveCategory(app, member, 'trait_profile', false);
    await expectRefusal(query(createPaid()), 403, 'category_not_approved');
    await expectRefusal(query(), 403, 'category_not_approved');
    await decideConsent(app, member, 'identity_queries', false);
    await expectRefusal(query(createPaid()), 403, 'consent_required');
    await decideConsent(app, member, 'identity_queries', true);
    await approveCategory(app, member, 'trait_profile');
    await app.sql.run(
      sql`update members set assessment_phase = 'in_progress' where id = ${member.member_id}`,
    );
    await expectRefusal(query(createPaid()), 403, 'engagement_level_too_low');
  });

  test('after the member asked for deletion, and after the erasure', async () => {
    const { status } = await app.request('DELETE', '/members/me', { token: member.token });
    expect(status).toBe(202);
    await expectRefusal(query(createPaid()), 403, 'consent_required');
  });

  test('of an alignment without a published culture', async () => {
    await expectRefusal(query({ ...createPaid(), data_type: 'alignment' }), 404, 'culture_profile_not_ready');
  });

  test('beyond the quota of the day, which begins again at midnight', async () => {
    await useQuota(app, org, 100);
    await expectRefusal(query(createPaid()), 429, 'query_quota_spent');
    const refused = await query();
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    app.clock.advance(24 * 3_600_000);
    const { body } = await app.request('POST', '/auth/login', {
      body: { email: org.email, password: org.password },
    });
    const next = await sendRead(app, { token: body.access_token }, alias, createPaid());
    expect([next.status, next.body.query_metadata.remaining_daily_queries]).toEqual([200, 99]);
  });

  test('by an organisation without a verified address', async () => {
    const unverified = await app.registerOrgAdmin({ is_verified: false });
    await expectRefusal(sendRead(app, unverified, alias, createPaid()), 403, 'email_not_verified');
  });

  test('of an unknown data type or a malformed id', async () => {
    for (const body of [
      { member_id: alias, data_type: 'salary' },
      { member_id: 'x', data_type: 'archetype' },
      {},
    ])
      await expectRefusal(
        app.request('POST', '/orgs/queries/credential', {
          token: org.token,
          body,
          headers: encodePayment(createPayment()),
        }),
        422,
        'field_invalid',
      );
  });
});

describe('two organisations', () => {
  test('get different pseudonyms of the same member, and each the same in every read', async () => {
    const rival = await app.registerOrgAdmin();
    const [theirs] = await findAliases(app, rival, [member]);
    const ours = [await query(), await query({ data_type: 'archetype' })].map(
      ({ body }) => body.data.member_pseudonym,
    );
    const other = (await sendRead(app, rival, theirs!)).body.data.member_pseudonym;
    expect(ours[0]).toBe(ours[1]);
    expect(other).not.toBe(ours[0]);
  });
});

describe('the pseudonym', () => {
  test('is another one for another alias of the same person, in reads, in their list, and for repeated payments', async () => {
    const [other] = (await findAliases(app, org, [member])) as [string];
    expect(other).not.toBe(alias);
    const payment = createPayment();
    const first = await query({ payment });
    const read = first.body.data.member_pseudonym;
    const foreign = (await query({}, other)).body.data.member_pseudonym;
    expect(foreign).not.toBe(read);
    expect((await query({ data_type: 'archetype' })).body.data.member_pseudonym).toBe(read);
    const { body } = await app.request('GET', '/orgs/queries/reads', { token: org.token });
    const listed = body.data.map((each: { member_pseudonym: string }) => each.member_pseudonym);
    expect(listed).toHaveLength(3);
    expect(new Set(listed)).toEqual(new Set([read, foreign]));
    // Whether a payment is accepted for another alias would tell whether both are the same person.
    const reused = await query({ payment }, other);
    expect([reused.status, reused.body.code]).toEqual([409, 'payment_already_used']);
    expect((await query({ payment })).body).toEqual(first.body);
  });

  test('stays the same when signing keys are rotated', async () => {
    const before = (await query()).body.data.member_pseudonym;
    const { token } = await app.registerPlatformAdmin();
    const rotated = await app.request('POST', '/operator/keys/rotate', { token, body: {} });
    expect(rotated.status).toBeLessThan(300);
    expect((await query()).body.data.member_pseudonym).toBe(before);
  });
});

describe('an alignment', () => {
  test('stays what was read first, whatever cultures the organisation publishes, until the member is measured again', async () => {
    const publish = (version: number, trust: number) => {
      const names = [
        'boundaries',
        'reliability',
        'accountability',
        'vault',
        'integrity',
        'nonjudgment',
        'generosity',
      ];
      const braving = JSON.stringify(Object.fromEntries(names.map((name) => [name, trust])));
      const cvf = JSON.stringify({ clan: 0.4, adhocracy: 0.2, market: 0.2, hierarchy: 0.2 });
      return app.sql.run(sql`
        insert into culture_profiles (org_id, version, questionnaire_version, respondents, braving, cvf, computed_at)
        values (${org.org_id}, ${version}, '1', 5, ${braving}::jsonb, ${cvf}::jsonb, ${app.clock.now()})`);
    };
    await publish(1, 0.95);
    const first = (await query({ data_type: 'alignment', payment: createPayment() })).body.data.alignment;
    expect(first.acceptance).toBe('high');
    await publish(2, 0.05);
    expect((await query({ data_type: 'alignment', payment: createPayment() })).body.data.alignment).toEqual(
      first,
    );
    await app.sql.run(sql`
      insert into trait_vectors select (jsonb_populate_record(measured, '{"version": 2}')).*
      from trait_vectors as measured where member_id = ${member.member_id}`);
    const second = (await query({ data_type: 'alignment', payment: createPayment() })).body.data.alignment;
    expect(second.acceptance).toBe('low');
  });
});
