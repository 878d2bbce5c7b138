import { reverseJournal } from '#modules/income/books';
import { finishReads } from '#modules/income/reads';
import { sql } from '#platform/database/database.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import {
  acceptReads,
  createPayment,
  decideConsent,
  encodePayment,
  findAliases,
  payBeforeReads,
  readBooks,
  refuseReads,
  registerReadable,
  sendRead,
  useQuota,
} from '#test/modules/reads.ts';
import { proves } from '#test/requirements.ts';
import type { TestOrgUser } from '#test/users.ts';

let org: TestOrgUser;
let alias: string;
const app = await startApp({ TESSERA_AUD_PER_USD: '1.6' });
const member = await registerReadable(app);
beforeEach(async () => {
  org = await app.registerOrgAdmin();
  [alias] = (await findAliases(app, org, [member])) as [string];
});

type Seller = Awaited<ReturnType<typeof registerReadable>>;

const buyRead = (body: object = {}, headers = {}, token = org.token) =>
  app.request('POST', '/marketplace/transactions', {
    token,
    headers,
    body: { member_id: alias, org_id: org.org_id, data_type: 'trait_profile', price_aud: 0.8, ...body },
  });
const read = (path: string, token: string) => app.request('GET', `/marketplace/${path}`, { token });

describe('a purchase', () => {
  proves(
    'marketplace-transaction-fields',
    'marketplace-transaction-status-value-completed',
    'marketplace-create-endpoint-jwt',
    'marketplace-create-request-fields',
    'marketplace-create-caller-is-party',
    'marketplace-create-records-mock',
    'marketplace-protocol-version-value-x402-v1',
    'open-values-marketplace-transaction-status',
  );
  test('is a paid read with a price in Australian dollars, which both parties see and nobody else', async () => {
    const before = await readBooks(app);
    const { status, body: purchase } = await buyRead();
    expect(status).toBe(201);
    const { result, ...body } = purchase;
    expect(result.data.trait_tiers.drive_architecture).toEqual(expect.any(String));
    expect(body).toEqual({
      id: expect.any(String),
      member_id: alias,
      org_id: org.org_id,
      data_type: 'trait_profile',
      price_aud: 0.8,
      price_usd: 0.5,
      aud_per_usd: 1.6,
      rate_at: app.clock.now().toISOString(),
      status: 'completed',
      protocol_version: 'x402-v1',
      expires_at: null,
      created_at: app.clock.now().toISOString(),
    });
    const after = await readBooks(app);
    expect(after).toMatchObject({ reads: before.reads + 1, income: before.income + 375_000, unbalanced: 0 });
    expect((await read(`transactions/${body.id}`, org.token)).body).toEqual(body);
    const own = await read(`transactions/${body.id}`, member.token);
    expect(own.body).toEqual({ ...body, member_id: member.member_id });
    const [rival, stranger] = [await app.registerOrgAdmin(), await app.registerMember()];
    for (const { token } of [rival, stranger])
      expect((await read(`transactions/${body.id}`, token)).body.code).toBe('transaction_not_found');
  });

  test('with a payment of the request returns the same transaction again, and its payment returns what was read', async () => {
    const payment = createPayment();
    const [one, two] = [await buyRead({}, encodePayment(payment)), await buyRead({}, encodePayment(payment))];
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(two.body).toEqual(one.body);
    expect(one.headers['payment-response']).toEqual(expect.any(String));
    const result = await sendRead(app, org, alias, { payment });
    expect(result.body.data.trait_tiers.drive_architecture).toEqual(expect.any(String));
    expect((await read('my-purchases', org.token)).body.transaction_count).toBe(1);
  });

  test('may name a payment whose read is not listed yet: then this read is listed, and no second one is made', async () => {
    const payment = createPayment();
    await sendRead(app, org, alias, { payment });
    const before = await readBooks(app);
    const listed = await buyRead({}, encodePayment(payment));
    expect([listed.status, listed.body.price_aud]).toEqual([201, 0.8]);
    expect(await readBooks(app)).toEqual(before);
    const { data } = (await app.request('GET', '/orgs/queries/reads', { token: org.token })).body;
    expect(data[0].id).toBe(listed.body.id);
  });

  test('that is repeated with the same payment returns the transaction after any change', async () => {
    const seller = await registerReadable(app);
    const [name] = (await findAliases(app, org, [seller])) as [string];
    const payment = encodePayment(createPayment());
    const buyAgain = (offer: object = {}) => buyRead({ member_id: name, ...offer }, payment);
    const first = await buyAgain();
    expect(first.status).toBe(201);
    const expectSame = async (offer?: object) => {
      const { status, body } = await buyAgain(offer);
      expect([status, body]).toEqual([201, first.body]);
    };
    await expectSame({ price_aud: 0.1 });
    await useQuota(app, org, 100);
    await expectSame();
    await decideConsent(app, seller, 'identity_queries', false);
    await expectSame();
    expect((await read('my-purchases', org.token)).body.transaction_count).toBe(1);
  });

  test('whose payment was taken back is shown as reversed to both parties, and is in no total', async () => {
    const before = (await read('my-earnings', member.token)).body;
    const [kept, taken] = [(await buyRead()).body, (await buyRead()).body];
    const { id: journal } = await app.sql.one(sql<{ id: string }>`
      select journal_id as id from reads where id = ${taken.id}`);
    await reverseJournal(app.platform, { journal, reason: 'the block was dropped' });
    const purchases = (await read('my-purchases', org.token)).body;
    expect(purchases).toMatchObject({ total_spend_aud: 0.8, total_spend_usd: 0.5, transaction_count: 2 });
    expect(
      Object.fromEntries(
        purchases.data.map(({ id, status }: { id: string; status: string }) => [id, status]),
      ),
    ).toEqual({ [kept.id]: 'completed', [taken.id]: 'reversed' });
    expect((await read(`transactions/${taken.id}`, member.token)).body.status).toBe('reversed');
    const sales = (await read('my-earnings', member.token)).body;
    expect(sales.total_earned_usd - before.total_earned_usd).toBeCloseTo(0.375, 6);
    expect(sales.transaction_count - before.transaction_count).toBe(2);
  });

  test('with a payment needs an offer that reaches the price', async () => {
    const refused = await buyRead({ price_aud: 0.79 }, encodePayment(createPayment()));
    expect([refused.status, refused.body.code]).toEqual([409, 'offer_too_low']);
    expect((await buyRead({ price_aud: 0.8 }, encodePayment(createPayment()))).status).toBe(201);
  });

  test('uses no free read', async () => {
    await buyRead();
    const { body } = await sendRead(app, org, alias);
    expect(body.query_metadata.payment_type).toBe('allowance');
  });

  test('is made once for one idempotency key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const [one, two] = [await buyRead({}, headers), await buyRead({}, headers)];
    expect(two.body).toEqual(one.body);
    expect((await read('my-purchases', org.token)).body.transaction_count).toBe(1);
  });
});

describe('a purchase whose process was lost after the payment', () => {
  /** Sends a purchase that fails when its read is recorded, as after a kill. */
  const loseProcess = async (send: () => Promise<unknown>) => {
    await payBeforeReads(app);
    await refuseReads(app);
    await send();
    await acceptReads(app);
    app.clock.advance(121_000);
  };
  const finish = async () => {
    await app.platform.database.transaction((tx) => app.platform.queue.send(tx, finishReads, {}));
    await app.drainQueue();
  };
  const readPurchases = async () => (await read('my-purchases', org.token)).body;

  test('is listed by the task that finishes its read, as it was offered', async () => {
    await loseProcess(() => buyRead({ price_aud: 0.3333 }));
    expect((await readPurchases()).transaction_count).toBe(0);
    await finish();
    const { data, transaction_count } = await readPurchases();
    expect(transaction_count).toBe(1);
    expect(data[0]).toMatchObject({
      member_id: alias,
      org_id: org.org_id,
      // These US dollars are 0.333299 AUD: what was agreed is kept with the payment.
      price_aud: 0.3333,
      price_usd: 0.208312,
      protocol_version: 'x402-v1',
    });
    await finish();
    expect((await readPurchases()).transaction_count).toBe(1);
  });

  test.each<readonly [string, (seller: Seller) => Promise<unknown>]>([
    ['before its read was finished', async () => undefined],
    ['after its read was finished', finish],
    [
      'after its read was finished, and the member withdrew the consent',
      async (seller) => {
        await finish();
        await decideConsent(app, seller, 'identity_queries', false);
      },
    ],
  ])('is bought once by its Idempotency-Key, sent again %s', async (_, meanwhile) => {
    const seller = await registerReadable(app);
    const [name] = (await findAliases(app, org, [seller])) as [string];
    const buy = () => buyRead({ member_id: name }, { 'idempotency-key': 'lost' });
    const before = await readBooks(app);
    await loseProcess(async () => expect((await buy()).status).toBe(500));
    await meanwhile(seller);
    const [again, repeated] = [await buy(), await buy()];
    await finish();
    expect([again.status, repeated.body]).toEqual([201, again.body]);
    const { total_spend_aud, transaction_count } = await readPurchases();
    expect([total_spend_aud, transaction_count]).toEqual([0.8, 1]);
    const after = await readBooks(app);
    expect(after).toMatchObject({ reads: before.reads + 1, income: before.income + 375_000, unbalanced: 0 });
  });

  test('is bought once by each key: another key, and no key, buy again', async () => {
    for (const headers of [{ 'idempotency-key': 'one' }, { 'idempotency-key': 'two' }, {}, {}])
      expect((await buyRead({}, headers)).status).toBe(201);
    expect((await readPurchases()).transaction_count).toBe(4);
  });

  test('is listed once if the same payment is sent again after that, and a paid read is not listed', async () => {
    const payment = encodePayment(createPayment());
    await loseProcess(() => buyRead({}, payment));
    await finish();
    expect((await buyRead({}, payment)).status).toBe(201);
    await loseProcess(() => sendRead(app, org, alias, { payment: createPayment() }));
    await finish();
    expect((await readPurchases()).transaction_count).toBe(1);
  });
});

describe('the terms of a refused payment', () => {
  test('say how many free reads are left', async () => {
    const strict = await startApp({ TESSERA_PAYMENT_RAIL: 'none' });
    const earner = await registerReadable(strict);
    const buyer = await strict.registerOrgAdmin();
    const [name] = (await findAliases(strict, buyer, [earner])) as [string];
    const readFreeReads = async () => {
      const { status, body } = await sendRead(strict, buyer, name, { payment: createPayment() });
      expect([status, body.code]).toEqual([402, 'payment_rail_unsupported']);
      return body.pricing.free_reads_left;
    };
    expect(await readFreeReads()).toBe(5);
    expect((await sendRead(strict, buyer, name)).status).toBe(200);
    expect(await readFreeReads()).toBe(4);
  });
});

describe('a refused purchase takes nothing', () => {
  test.each([
    ['of another organisation', () => buyRead({ org_id: unknownId }), 403, 'not_a_party'],
    ['of an unknown member', () => buyRead({ member_id: unknownId }), 404, 'member_not_found'],
    ['of an unknown type', () => buyRead({ data_type: 'salary' }), 422, 'field_invalid'],
    ['for nothing', () => buyRead({ price_aud: 0 }), 422, 'field_invalid'],
    ['with too many decimals', () => buyRead({ price_aud: 0.1234567 }), 422, 'field_invalid'],
    ['without a field', () => buyRead({ price_aud: undefined }), 422, 'field_invalid'],
    ['by a member under the alias', () => buyRead({}, {}, member.token), 403, 'not_a_party'],
  ])('%s', async (_name, send, status, code) => {
    const before = await readBooks(app);
    const { body, ...reply } = await send();
    expect([reply.status, body.code]).toEqual([status, code]);
    expect(await readBooks(app)).toEqual(before);
  });

  test('beyond the quota and without consent', async () => {
    await useQuota(app, org, 100);
    expect((await buyRead()).body.code).toBe('query_quota_spent');
    const other = await registerReadable(app);
    const rival = await app.registerOrgAdmin();
    const [theirs] = await findAliases(app, rival, [other]);
    await decideConsent(app, other, 'identity_queries', false);
    const { body } = await buyRead({ member_id: theirs, org_id: rival.org_id }, {}, rival.token);
    expect(body.code).toBe('consent_required');
    expect((await read('my-purchases', rival.token)).body.transaction_count).toBe(0);
  });
});
