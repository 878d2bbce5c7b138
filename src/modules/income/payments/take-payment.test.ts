import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import {
  takePayment,
  listUnrecorded,
  recordPayment,
  refusePayment,
  type PaidRead,
} from '#modules/income/payments';
import { startApp } from '#test/harness.ts';

const app = await startApp();

/** A read of one read by an organisation of its own. */
function buildPaidRead(changes: Partial<PaidRead> = {}): PaidRead {
  return {
    org_id: randomUUID(),
    user_id: randomUUID(),
    member_id: randomUUID(),
    data_type: 'trait_profile',
    price: 50_000n,
    ...changes,
  };
}

function buildProof(tx_hash: string = randomUUID()) {
  return { kind: 'hash', tx_hash, timestamp: 1 } as const;
}

const take = (proof: ReturnType<typeof buildProof>, read: PaidRead) => takePayment(app.platform, proof, read);

test('a mock payment is settled at once, and the same payment again continues with the same claim', async () => {
  const [proof, read] = [buildProof(), buildPaidRead()];
  const first = await take(proof, read);
  expect(first).toEqual({
    kind: 'settled',
    payment: {
      payment_id: expect.any(String),
      rail: 'mock',
      protocol_version: 'mock',
      amount: 50_000n,
      price_aud: null,
      payer: null,
      transaction: null,
      receipt: { name: 'PAYMENT-RESPONSE', value: expect.any(String) },
      read,
    },
  });
  expect(await take(proof, { ...read, user_id: randomUUID(), price: 60_000n })).toMatchObject({
    kind: 'settled',
    payment: { payment_id: first.payment.payment_id, amount: 50_000n },
  });
});

test('a recorded payment returns its stored result, and can be neither recorded nor refused again', async () => {
  const [proof, read] = [buildProof(), buildPaidRead()];
  const { payment } = await take(proof, read);
  const record = (result: string) =>
    app.platform.database.transaction((tx) => recordPayment(tx, payment.payment_id, { read: result }));
  await record('first');
  await expect(record('second')).rejects.toMatchObject({ code: 'payment_unresolved' });
  const refusing = app.platform.database.transaction((tx) => refusePayment(tx, payment.payment_id, 'late'));
  await expect(refusing).rejects.toMatchObject({ code: 'payment_unresolved' });
  expect(await take(proof, read)).toMatchObject({ kind: 'recorded', result: { read: 'first' } });
});

test('a payment buys nothing for another organisation, member, data type or tool', async () => {
  const [proof, read] = [buildProof(), buildPaidRead()];
  await take(proof, read);
  const others: readonly Partial<PaidRead>[] = [
    { org_id: randomUUID() },
    { member_id: randomUUID() },
    { data_type: 'archetype' },
  ];
  for (const other of others)
    await expect(take(proof, { ...read, ...other })).rejects.toMatchObject({
      code: 'payment_already_used',
    });
});

test('of many equal payments at once, one is claimed, and all return it', async () => {
  const [proof, read] = [buildProof(), buildPaidRead()];
  const payments = await Promise.all(Array.from({ length: 8 }, () => take(proof, read)));
  expect(new Set(payments.map(({ payment }) => payment.payment_id)).size).toBe(1);
});

test('a refused payment is never used again', async () => {
  const [proof, read] = [buildProof(), buildPaidRead()];
  const { payment } = await take(proof, read);
  await app.platform.database.transaction((tx) => refusePayment(tx, payment.payment_id, 'consent_withdrawn'));
  await expect(take(proof, read)).rejects.toMatchObject({ code: 'payment_refunded' });
});

test('a settled payment without a read is listed until it is recorded', async () => {
  const read = buildPaidRead();
  const { payment } = await take(buildProof(), read);
  const list = async () =>
    (
      await listUnrecorded(app.platform.database, {
        before: new Date(app.clock.now().getTime() + 1),
        after: undefined,
        limit: 100,
      })
    ).find(({ payment_id }) => payment_id === payment.payment_id);
  expect(await list()).toMatchObject({ payment_id: payment.payment_id, amount: 50_000n, read });
  await app.platform.database.transaction((tx) => recordPayment(tx, payment.payment_id, {}));
  expect(await list()).toBeUndefined();
});

test('a transaction that fails leaves the payment settled', async () => {
  const [proof, read] = [buildProof(), buildPaidRead()];
  const { payment } = await take(proof, read);
  const failing = app.platform.database.transaction(async (tx) => {
    await recordPayment(tx, payment.payment_id, {});
    throw new Error('the read failed');
  });
  await expect(failing).rejects.toThrow('the read failed');
  expect(await take(proof, read)).toMatchObject({ kind: 'settled' });
});

test('the database refuses to move, to rewrite or to delete a claim', async () => {
  const { payment } = await take(buildProof(), buildPaidRead());
  const id = payment.payment_id;
  await app.platform.database.transaction((tx) => recordPayment(tx, id, { read: 1 }));
  const changes = [
    sql`update payments set state = 'settled' where id = ${id}`,
    sql`update payments set state = 'refused' where id = ${id}`,
    sql`update payments set result = '{}' where id = ${id}`,
    sql`update payments set org_id = ${randomUUID()} where id = ${id}`,
    sql`update payments set member_id = ${randomUUID()} where id = ${id}`,
    sql`update payments set amount_micros = 1000000 where id = ${id}`,
    sql`update payments set transaction = 'other' where id = ${id}`,
    sql`delete from payments where id = ${id}`,
    sql`delete from payment_keys where payment_id = ${id}`,
    sql`update payment_keys set payment_id = ${randomUUID()} where payment_id = ${id}`,
  ];
  for (const change of changes) await expect(app.sql.run(change)).rejects.toMatchObject({ code: '23000' });
});
