import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import {
  claimPayment,
  listUnrecorded,
  recordPayment,
  refusePayment,
  type Purchase,
} from '#modules/income/payments';
import { startApp, type TestApp } from '#test/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

/** A purchase of one read by an organisation of its own. */
function buildPurchase(changes: Partial<Purchase> = {}): Purchase {
  return {
    orgId: randomUUID(),
    userId: randomUUID(),
    memberId: randomUUID(),
    tool: 'credential_query',
    dataType: 'trait_profile',
    price: 50_000n,
    ...changes,
  };
}

function buildProof(tx_hash: string = randomUUID()) {
  return { kind: 'hash', tx_hash, timestamp: 1 } as const;
}

const claim = (proof: ReturnType<typeof buildProof>, purchase: Purchase) =>
  claimPayment(app.platform, proof, purchase);

test('a mock payment is settled at once, and the same payment again continues with the same claim', async () => {
  const [proof, purchase] = [buildProof(), buildPurchase()];
  const first = await claim(proof, purchase);
  expect(first).toEqual({
    kind: 'settled',
    payment: {
      claimId: expect.any(String),
      rail: 'mock',
      protocolVersion: 'mock',
      amount: 50_000n,
      payer: null,
      transaction: null,
      receiptHeader: { name: 'PAYMENT-RESPONSE', value: expect.any(String) },
      purchase,
    },
  });
  expect(await claim(proof, { ...purchase, userId: randomUUID(), price: 60_000n })).toMatchObject({
    kind: 'settled',
    payment: { claimId: first.payment.claimId, amount: 50_000n },
  });
});

test('a recorded payment returns its stored result, and can be neither recorded nor refused again', async () => {
  const [proof, purchase] = [buildProof(), buildPurchase()];
  const { payment } = await claim(proof, purchase);
  const record = (result: string) =>
    app.platform.database.transaction((tx) => recordPayment(tx, payment.claimId, { read: result }));
  await record('first');
  await expect(record('second')).rejects.toMatchObject({ code: 'payment_unresolved' });
  const refusing = app.platform.database.transaction((tx) => refusePayment(tx, payment.claimId, 'late'));
  await expect(refusing).rejects.toMatchObject({ code: 'payment_unresolved' });
  expect(await claim(proof, purchase)).toMatchObject({ kind: 'recorded', result: { read: 'first' } });
});

test('a payment buys nothing for another organisation, member, data type or tool', async () => {
  const [proof, purchase] = [buildProof(), buildPurchase()];
  await claim(proof, purchase);
  const others: readonly Partial<Purchase>[] = [
    { orgId: randomUUID() },
    { memberId: randomUUID() },
    { dataType: 'archetype' },
    { tool: 'query_archetype' },
  ];
  for (const other of others)
    await expect(claim(proof, { ...purchase, ...other })).rejects.toMatchObject({
      code: 'payment_already_used',
    });
});

test('of many equal payments at once, one is claimed, and all return it', async () => {
  const [proof, purchase] = [buildProof(), buildPurchase()];
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim(proof, purchase)));
  expect(new Set(claims.map(({ payment }) => payment.claimId)).size).toBe(1);
});

test('a refused payment is never used again', async () => {
  const [proof, purchase] = [buildProof(), buildPurchase()];
  const { payment } = await claim(proof, purchase);
  await app.platform.database.transaction((tx) => refusePayment(tx, payment.claimId, 'consent_withdrawn'));
  await expect(claim(proof, purchase)).rejects.toMatchObject({ code: 'payment_refunded' });
});

test('a settled payment without a read is listed until it is recorded', async () => {
  const purchase = buildPurchase();
  const { payment } = await claim(buildProof(), purchase);
  const list = async () =>
    (
      await listUnrecorded(app.platform.database, {
        before: new Date(app.clock.now().getTime() + 1),
        after: undefined,
        limit: 100,
      })
    ).find(({ claimId }) => claimId === payment.claimId);
  expect(await list()).toMatchObject({ claimId: payment.claimId, amount: 50_000n, purchase });
  await app.platform.database.transaction((tx) => recordPayment(tx, payment.claimId, {}));
  expect(await list()).toBeUndefined();
});

test('a transaction that fails leaves the payment settled', async () => {
  const [proof, purchase] = [buildProof(), buildPurchase()];
  const { payment } = await claim(proof, purchase);
  const failing = app.platform.database.transaction(async (tx) => {
    await recordPayment(tx, payment.claimId, {});
    throw new Error('the read failed');
  });
  await expect(failing).rejects.toThrow('the read failed');
  expect(await claim(proof, purchase)).toMatchObject({ kind: 'settled' });
});

test('the database refuses to move, to rewrite or to delete a claim', async () => {
  const { payment } = await claim(buildProof(), buildPurchase());
  const id = payment.claimId;
  await app.platform.database.transaction((tx) => recordPayment(tx, id, { read: 1 }));
  const changes = [
    sql`update payment_claims set state = 'settled' where id = ${id}`,
    sql`update payment_claims set state = 'refused' where id = ${id}`,
    sql`update payment_claims set result = '{}' where id = ${id}`,
    sql`update payment_claims set org_id = ${randomUUID()} where id = ${id}`,
    sql`update payment_claims set member_id = ${randomUUID()} where id = ${id}`,
    sql`update payment_claims set amount_micro = 1000000 where id = ${id}`,
    sql`update payment_claims set transaction = 'other' where id = ${id}`,
    sql`delete from payment_claims where id = ${id}`,
    sql`delete from payment_keys where claim_id = ${id}`,
    sql`update payment_keys set claim_id = ${randomUUID()} where claim_id = ${id}`,
  ];
  for (const change of changes) await expect(app.sql.run(change)).rejects.toMatchObject({ code: '23000' });
});
