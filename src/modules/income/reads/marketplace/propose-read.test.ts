import { describe, expect, test } from 'vitest';
import { finishReads, forgetQuotes } from '#modules/income/reads';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { encodeBalancePayment, fillBalance, readLeft } from '#test/modules/balances.ts';
import { createMarket, payProfile, proposeProfile } from '#test/modules/marketplace.ts';
import { forceMatchStatus, listStoredMatches, runTask } from '#test/modules/matching.ts';
import {
  acceptReads,
  changeWhenPaid,
  decideConsent,
  payBeforeReads,
  readBooks,
  refuseReads,
  registerReadable,
} from '#test/modules/reads.ts';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';
import { proves } from '#test/requirements.ts';
import { shiftTime } from '#test/shift-time.ts';

const day_ms = 86_400_000;

const app = await startApp({ TESSERA_AUD_PER_USD: '1.5', TESSERA_RETENTION_SECONDS: '0' });
const market = await createMarket(app);
const { member, org } = market;
type Tokened = { readonly token: string };
const read = async (path: string, { token }: Tokened) =>
  (await app.request('GET', `/marketplace/${path}`, { token })).body;
/** Makes all proposals older, because a login would not survive the time. */
const shiftProposals = (days: number) =>
  app.sql.run(sql`
    update read_proposals set created_at = ${shiftTime('created_at', -days)}, expires_at = ${shiftTime('expires_at', -days)}`);

describe('a transaction that a member records', () => {
  proves('marketplace-create-caller-is-party', 'open-values-marketplace-transaction-status');

  test('is pending for both parties and nobody else, and the books are as before', async () => {
    const before = await readBooks(app);
    const { status, body, headers } = await proposeProfile(app, market, 0.4);
    expect(status).toBe(201);
    expect(headers['location']).toContain(`/marketplace/transactions/${body.id}`);
    expect(body).toEqual({
      id: expect.any(String),
      member_id: member.member_id,
      org_id: org.org_id,
      data_type: 'trait_profile',
      price_aud: 0.4,
      price_usd: null,
      aud_per_usd: null,
      rate_at: null,
      status: 'pending',
      protocol_version: 'x402-v1',
      expires_at: new Date(app.clock.now().getTime() + 14 * day_ms).toISOString(),
      created_at: app.clock.now().toISOString(),
    });
    const theirs = { ...body, member_id: market.alias };
    expect(await read(`transactions/${body.id}`, member)).toEqual(body);
    expect(await read(`transactions/${body.id}`, org)).toEqual(theirs);
    const sales = await read('my-earnings', member);
    expect(sales).toMatchObject({ transaction_count: 0, total_price_aud: 0, data: [body] });
    const waiting = await read('my-purchases?status=pending', org);
    expect(waiting).toMatchObject({ transaction_count: 0, total_spend_aud: 0, data: [theirs] });
    expect(waiting.pagination.total_count).toBe(1);
    expect(JSON.stringify(waiting)).not.toContain(member.member_id);
    for (const stranger of [await app.registerOrgAdmin(), await app.registerMember()])
      expect((await read(`transactions/${body.id}`, stranger)).code).toBe('transaction_not_found');
    expect(await readBooks(app)).toEqual(before);
  });

  test('is the same one while it is pending, and another price is refused', async () => {
    const [one, two] = [await proposeProfile(app, market, 0.4), await proposeProfile(app, market, 0.4)];
    expect(two.body).toEqual(one.body);
    const headers = { 'idempotency-key': 'propose' };
    const [first, again] = [
      await proposeProfile(app, market, 0.4, { headers }),
      await proposeProfile(app, market, 0.4, { headers }),
    ];
    expect([first.body, again.body]).toEqual([one.body, one.body]);
    const other = await proposeProfile(app, market, 0.5);
    expect([other.status, other.body.code]).toEqual([409, 'transaction_pending']);
  });

  test('is paid by the same transaction of the organisation, at the price that was asked, under the same id', async () => {
    const pending = (await proposeProfile(app, market, 0.4)).body;
    const before = await readBooks(app);
    const { status, body } = await payProfile(app, market, 0.4);
    const { result, ...transaction } = body;
    expect([status, transaction]).toMatchObject([
      201,
      { id: pending.id, status: 'completed', price_aud: 0.4, price_usd: 0.266666, member_id: market.alias },
    ]);
    expect(result.data.trait_tiers.drive_architecture).not.toBe('not_included');
    const after = await readBooks(app);
    expect(after).toMatchObject({ reads: before.reads + 1, income: before.income + 199_999, unbalanced: 0 });
    expect(await read(`transactions/${pending.id}`, org)).toEqual(transaction);
    expect((await read('my-purchases?status=pending', org)).data).toEqual([]);
    expect((await read('my-earnings', member)).data).toMatchObject([{ id: pending.id, status: 'completed' }]);
    // The next one is another purchase.
    expect((await payProfile(app, market, 0.4)).body.id).not.toBe(pending.id);
  });

  test('is paid once by one Idempotency-Key, and by two payments at once: the other one is owed back', async () => {
    const own = await createMarket(app);
    const { id } = (await proposeProfile(app, own, 0.6)).body;
    const headers = { 'idempotency-key': 'pay-once' };
    const [one, two] = [await payProfile(app, own, 0.6, headers), await payProfile(app, own, 0.6, headers)];
    expect([one.body.id, two.body]).toEqual([id, one.body]);
    await proposeProfile(app, own, 0.7);
    const before = await readBooks(app);
    await changeWhenPaid(app, `update read_proposals set status = 'withdrawn' where status = 'pending'`);
    const late = await payProfile(app, own, 0.7);
    await app.sql.run(sql`drop trigger paid on payments`);
    expect([late.status, late.body.code]).toEqual([409, 'transaction_ended']);
    const after = await readBooks(app);
    expect(after).toMatchObject({
      reads: before.reads,
      income: before.income,
      unbalanced: 0,
      refunds: before.refunds + 1,
    });
  });

  test('that ends while a payment from the balance waits takes nothing', async () => {
    const own = await createMarket(app);
    await fillBalance(app, own.org, 5);
    await proposeProfile(app, own, 0.6);
    const before = await readBooks(app);
    let paying: ReturnType<typeof payProfile> | undefined;
    await app.sql.transaction(async (tx) => {
      await tx.run(sql`select from members where id = ${own.member.member_id} for update`);
      paying = payProfile(app, own, 0.6, encodeBalancePayment('late'));
      await waitUntilBlocked(app);
      await tx.run(sql`
        update read_proposals set status = 'withdrawn' where member_id = ${own.member.member_id} and status = 'pending'`);
    });
    const late = (await paying)!;
    expect([late.status, late.body.code]).toEqual([409, 'transaction_ended']);
    expect([await readBooks(app), await readLeft(app, own.org)]).toEqual([before, 5]);
  });

  test('whose payment a killed process left behind is finished by the task, under its id', async () => {
    const own = await createMarket(app);
    await payBeforeReads(app);
    const { id } = (await proposeProfile(app, own, 0.4)).body;
    await refuseReads(app);
    expect((await payProfile(app, own, 0.4)).status).toBe(500);
    await acceptReads(app);
    app.clock.advance(121_000);
    await runTask(app, finishReads, {});
    expect(await read(`transactions/${id}`, own.org)).toMatchObject({
      id,
      status: 'completed',
      price_aud: 0.4,
    });
  });

  test('costs on other rails what was asked, not the current price', async () => {
    const strict = await startApp({ TESSERA_PAYMENT_RAIL: 'none', TESSERA_AUD_PER_USD: '1.5' });
    const own = await createMarket(strict);
    const asked = await proposeProfile(strict, own, 0.9);
    expect(asked.status).toBe(201);
    const refused = await strict.request('POST', '/marketplace/transactions', {
      token: own.org.token,
      body: { member_id: own.alias, org_id: own.org.org_id, data_type: 'trait_profile', price_aud: 0.9 },
    });
    expect([refused.status, refused.body.pricing.price]).toEqual([402, 0.6]);
    for (const price_aud of [0.014, 1.51]) {
      const { status, body } = await proposeProfile(strict, own, price_aud, { data_type: 'archetype' });
      expect([status, body.errors[0].pointer]).toEqual([422, '/price_aud']);
    }
  });

  test('expires after 14 days, makes room for another one, and is deleted 90 days later', async () => {
    const own = await createMarket(app);
    const { id } = (await proposeProfile(app, own, 0.4)).body;
    await shiftProposals(14);
    expect((await read(`transactions/${id}`, own.org)).status).toBe('expired');
    expect((await read('my-purchases?status=pending', own.org)).data).toEqual([]);
    expect((await payProfile(app, own, 0.4)).body.id).not.toBe(id);
    expect((await proposeProfile(app, own, 0.5)).body).toMatchObject({ status: 'pending', price_aud: 0.5 });
    await shiftProposals(91);
    await runTask(app, forgetQuotes, {});
    expect((await read(`transactions/${id}`, own.member)).code).toBe('transaction_not_found');
  });

  test('cannot be paid after the member has withdrawn the consent, and then nothing is taken', async () => {
    const own = await createMarket(app);
    await proposeProfile(app, own, 0.4);
    await decideConsent(app, own.member, 'identity_queries', false);
    const before = await readBooks(app);
    const { status, body } = await payProfile(app, own, 0.4);
    expect([status, body.code]).toEqual([403, 'consent_required']);
    expect(await readBooks(app)).toEqual(before);
  });

  test('names the member by the real id once both share the contact', async () => {
    const own = await createMarket(app);
    const { job_id } = await app.sql.one(sql<{ job_id: string }>`
      select job_id from matches where org_id = ${own.org.org_id} and member_id = ${own.member.member_id}`);
    const match = (await listStoredMatches(app, job_id)).find(
      ({ member_id }) => member_id === own.member.member_id,
    );
    await forceMatchStatus(app, match!.id, 'member_accepted');
    const { id } = (await proposeProfile(app, own, 0.4)).body;
    expect((await read(`transactions/${id}`, own.org)).member_id).toBe(own.member.member_id);
  });

  test('is in the export of the member’s data, and is erased with it', async () => {
    const own = await createMarket(app);
    const { id } = (await proposeProfile(app, own, 0.4)).body;
    const path = `/exports/member/${own.member.member_id}/gdpr-data`;
    expect((await app.request('GET', path, { token: own.member.token })).body).toContain(id);
    await app.request('DELETE', '/members/me', { token: own.member.token });
    await app.drainQueue();
    expect((await read(`transactions/${id}`, own.org)).code).toBe('transaction_not_found');
  });
});

describe('a member cannot record', () => {
  const propose = (body: object, token: string | undefined = member.token) =>
    app.request('POST', '/marketplace/transactions', {
      ...(token !== '' && { token }),
      body: {
        member_id: member.member_id,
        org_id: org.org_id,
        data_type: 'archetype',
        price_aud: 0.4,
        ...body,
      },
    });

  test.each<readonly [string, () => Promise<{ status: number; body: { code: string } }>, number, string]>([
    ['for another member', () => propose({ member_id: unknownId }), 403, 'not_a_party'],
    ['under an alias', () => propose({ member_id: market.alias }), 403, 'not_a_party'],
    [
      'with an organisation that does not exist',
      () => propose({ org_id: unknownId }),
      404,
      'organisation_not_found',
    ],
    [
      'with an organisation without a match',
      async () => propose({ org_id: (await app.registerOrgAdmin()).org_id }),
      404,
      'organisation_not_found',
    ],
    ['an unknown type', () => propose({ data_type: 'salary' }), 422, 'field_invalid'],
    ['for nothing', () => propose({ price_aud: 0 }), 422, 'field_invalid'],
    ['without a login', () => propose({}, ''), 401, 'authentication_required'],
  ])('%s', async (_, send, status, code) => {
    const reply = await send();
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  test('what an organisation could not read', async () => {
    const own = await createMarket(app, { categories: ['archetype'] });
    const refused = await proposeProfile(app, own, 0.4);
    expect([refused.status, refused.body.code]).toEqual([403, 'category_not_approved']);
  });

  test('more than eight with one organisation in 30 days, or than wait for it', async () => {
    const own = await createMarket(app);
    for (let count = 0; count < 8; count++) {
      const { status, body } = await proposeProfile(app, own, (40 + count) / 100);
      expect(status).toBe(201);
      await app.request('POST', `/marketplace/transactions/${body.id}/decline`, { token: own.org.token });
    }
    const refused = await proposeProfile(app, own, 0.9);
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_transactions']);
    await shiftProposals(31);
    expect((await proposeProfile(app, own, 0.9)).status).toBe(201);
    const flooded = await createMarket(app);
    const { member_id } = await registerReadable(app);
    await app.sql.run(sql`
      insert into read_proposals (id, member_id, org_id, known_as, data_type, price_aud_micros, status, created_at, expires_at)
      select gen_random_uuid(), ${member_id}, ${flooded.org.org_id}, gen_random_uuid(), 'kind ' || count, 1, 'pending', ${app.clock.now()}::timestamptz,
        ${new Date(app.clock.now().getTime() + day_ms)}::timestamptz from generate_series(1, 500) as count`);
    expect((await proposeProfile(app, flooded, 0.4)).body.code).toBe('too_many_transactions');
  });
});

test('pages of a list have paid and proposed transactions in one order, each once', async () => {
  const own = await createMarket(app);
  const ids: string[] = [];
  for (const price_aud of [0.4, 0.5, 0.6]) {
    app.clock.advance(1_000);
    ids.push((await proposeProfile(app, own, price_aud)).body.id);
    if (price_aud !== 0.6) {
      await app.request('POST', `/marketplace/transactions/${ids.at(-1)}/decline`, { token: own.org.token });
      app.clock.advance(1_000);
      ids.push((await payProfile(app, own, price_aud)).body.id);
    }
  }
  const seen: string[] = [];
  for (let query = ''; ;) {
    const { data, pagination } = await read(`my-purchases?limit=2${query}`, own.org);
    seen.push(...data.map(({ id }: { id: string }) => id));
    expect(pagination.total_count).toBe(5);
    if (!pagination.has_more) break;
    query = `&cursor=${pagination.next_cursor}`;
  }
  expect(seen).toEqual(ids.toReversed());
});
