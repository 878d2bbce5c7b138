import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Refusal } from '#lib/refusal.ts';
import { reconcilePayments } from '#modules/income/payments';
import { sql } from '#platform/database/database.ts';
import { startChain, type TestChain } from '#test/chain/start-chain.ts';
import type { TestApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import {
  bindWallet,
  buildPaymentHeader,
  buildPaidRead,
  payByHash,
  payByHeaders,
  listStates,
  recordResult,
  signPayment,
  startPaidApp,
  type SignedFields,
} from '#test/modules/payments.ts';

let chain: TestChain;
let app: TestApp;
beforeAll(async () => {
  chain = await startChain();
  app = await startPaidApp(chain);
});
beforeEach(() => {
  app.clock.set(new Date());
});

const now = () => BigInt(Math.floor(Date.now() / 1000));

test('a signed payment moves the price to the payee, and its receipt names the transaction', async () => {
  const [payer, read] = [await chain.createPayer(), buildPaidRead()];
  const before = await chain.readBalance(chain.payTo);
  const taken = await payByHeaders(app, buildPaymentHeader(await signPayment(chain, payer)), read);
  expect(taken).toMatchObject({
    kind: 'settled',
    payment: {
      rail: 'x402',
      protocol_version: 'x402-v2',
      amount: 50_000n,
      payer: payer.address.toLowerCase(),
      read,
    },
  });
  expect((await chain.readBalance(chain.payTo)) - before).toBe(50_000n);
  expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
  const { receipt, transaction } = taken.payment;
  expect(receipt!.name).toBe('PAYMENT-RESPONSE');
  expect(JSON.parse(Buffer.from(receipt!.value, 'base64').toString())).toEqual({
    success: true,
    payer: payer.address.toLowerCase(),
    transaction,
    network: 'eip155:31337',
  });
});

test('a payment of version 1 of the protocol gets the receipt of version 1', async () => {
  const payment = await signPayment(chain, await chain.createPayer());
  const taken = await payByHeaders(app, buildPaymentHeader(payment, { version: 1 }), buildPaidRead());
  expect(taken.payment.protocol_version).toBe('x402-v1');
  expect(taken.payment.receipt!.name).toBe('X-PAYMENT-RESPONSE');
});

test('a wallet that is a contract pays with a signature of its owner', async () => {
  const owner = await chain.createPayer();
  const wallet = await chain.deployWallet(owner.address);
  await chain.mint(wallet, 1_000_000n);
  const payment = await signPayment(chain, owner, {}, wallet);
  // The token calls the wallet for a signature that is not one of an account.
  const taken = await payByHeaders(app, buildPaymentHeader(payment), buildPaidRead());
  expect(taken.payment.payer).toBe(wallet.toLowerCase());
});

describe('a payment that is not as the terms say is refused, and nothing is stored', () => {
  type Case = {
    readonly what: string;
    readonly code: string;
    readonly fields?: Partial<SignedFields>;
    readonly accepted?: Readonly<Record<string, unknown>>;
  };
  const network = 'eip155:31337';
  const cases: readonly Case[] = [
    { what: 'expired', code: 'payment_expired', fields: { validBefore: now() - 1n } },
    { what: 'not yet valid', code: 'payment_not_yet_valid', fields: { validAfter: now() + 1_000n } },
    { what: 'below the price', code: 'payment_underpaid', fields: { value: 49_999n } },
    { what: 'above every price', code: 'payment_overpaid', fields: { value: 1_000_001n } },
    { what: 'to another payee', code: 'payment_wrong_payee', fields: { to: `0x${'aa'.repeat(20)}` } },
    { what: 'on another chain', code: 'payment_wrong_network', fields: { chainId: 8_453 } },
    {
      what: 'signed for another chain, but named as this one',
      code: 'payment_signature_invalid',
      fields: { chainId: 8_453 },
      accepted: { network },
    },
    { what: 'of another scheme', code: 'payment_scheme_unsupported', accepted: { scheme: 'upto' } },
  ];
  test.each(cases)('$what', async ({ code, fields, accepted = {} }) => {
    const read = buildPaidRead();
    const payment = await signPayment(chain, await chain.createPayer(), fields);
    const taking = payByHeaders(app, buildPaymentHeader(payment, accepted), read);
    await expect(taking).rejects.toMatchObject({ code });
    expect(await listStates(app, read)).toEqual([]);
  });

  test('in another token', async () => {
    const payment = await signPayment(chain, await chain.createPayer(), { asset: chain.otherToken });
    const claim = (accepted = {}) =>
      payByHeaders(app, buildPaymentHeader(payment, accepted), buildPaidRead());
    await expect(claim()).rejects.toMatchObject({ code: 'payment_wrong_asset' });
    await expect(claim({ asset: chain.token })).rejects.toMatchObject({ code: 'payment_signature_invalid' });
  });

  test('with the signature of somebody who is not the payer', async () => {
    const [payer, thief] = [await chain.createPayer(), await chain.createPayer()];
    const payment = await signPayment(chain, thief, {}, payer.address);
    const taking = payByHeaders(app, buildPaymentHeader(payment), buildPaidRead());
    await expect(taking).rejects.toMatchObject({ code: 'payment_signature_invalid' });
  });

  test('from a wallet without enough of the token', async () => {
    const payer = await chain.createPayer();
    await chain.sendFrom(payer, chain.token, 'transfer', [chain.payTo, 4_990_000n]);
    const taking = payByHeaders(app, buildPaymentHeader(await signPayment(chain, payer)), buildPaidRead());
    await expect(taking).rejects.toMatchObject({ code: 'payment_funds_insufficient' });
  });
});

test('attack 1: the same payment five times at once is carried out once', async () => {
  const [payer, read] = [await chain.createPayer(), buildPaidRead()];
  const headers = buildPaymentHeader(await signPayment(chain, payer));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => payByHeaders(app, headers, read)),
  );
  const settled = outcomes.filter(({ status }) => status === 'fulfilled');
  expect(settled.length).toBeGreaterThan(0);
  const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as Refusal] : []));
  expect(reasons.filter(({ code }) => code !== 'payment_unresolved')).toEqual([]);
  const last = await payByHeaders(app, headers, read);
  await recordResult(app, last, 'read');
  expect(await payByHeaders(app, headers, read)).toMatchObject({
    kind: 'recorded',
    result: { result: 'read' },
  });
  expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
  expect(await listStates(app, read)).toEqual(['recorded']);
});

test('attack 2: a payment for one member buys no other, whatever the client says that it accepted', async () => {
  const [payer, read] = [await chain.createPayer(), buildPaidRead()];
  const payment = await signPayment(chain, payer);
  await payByHeaders(app, buildPaymentHeader(payment), read);
  const others = [
    { member_id: buildPaidRead().member_id },
    { org_id: buildPaidRead().org_id },
    { data_type: 'archetype' },
  ];
  for (const other of others)
    for (const accepted of [{}, { extra: { member: other.member_id ?? '' } }])
      await expect(
        payByHeaders(app, buildPaymentHeader(payment, accepted), { ...read, ...other }),
      ).rejects.toMatchObject({ code: 'payment_already_used' });
  expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
});

test('two amounts that are signed with one nonce are one payment', async () => {
  const [payer, read] = [await chain.createPayer(), buildPaidRead()];
  const cheap = await signPayment(chain, payer);
  await payByHeaders(app, buildPaymentHeader(cheap), read);
  const dear = await signPayment(chain, payer, { nonce: cheap.fields.nonce, value: 60_000n });
  const taking = payByHeaders(app, buildPaymentHeader(dear), read);
  await expect(taking).rejects.toMatchObject({ code: 'payment_already_used' });
});

test('attack 3: a payment that a stranger has sent to the chain first is accepted, and not paid twice', async () => {
  const [payer, stranger, read] = [await chain.createPayer(), await chain.createPayer(), buildPaidRead()];
  const payment = await signPayment(chain, payer);
  const { to, value, validAfter, validBefore, nonce } = payment.fields;
  const transaction = await chain.sendFrom(stranger, chain.token, 'transferWithAuthorization', [
    payer.address,
    to,
    value,
    validAfter,
    validBefore,
    nonce,
    payment.signature,
  ]);
  const taken = await payByHeaders(app, buildPaymentHeader(payment), read);
  expect(taken).toMatchObject({ kind: 'settled', payment: { transaction } });
  expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
});

test('attack 4: a payment that its payer has cancelled pays for nothing', async () => {
  const [payer, read] = [await chain.createPayer(), buildPaidRead()];
  const payment = await signPayment(chain, payer);
  await cancelPayment(payer, payment.fields.nonce);
  const taking = payByHeaders(app, buildPaymentHeader(payment), read);
  await expect(taking).rejects.toMatchObject({ code: 'payment_failed' });
  expect(await chain.readBalance(payer.address)).toBe(5_000_000n);
});

async function cancelPayment(payer: Awaited<ReturnType<TestChain['createPayer']>>, nonce: `0x${string}`) {
  const signature = await payer.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 31_337, verifyingContract: chain.token },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: payer.address, nonce },
  });
  const [r, s] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`];
  const v = Number.parseInt(signature.slice(130), 16);
  await chain.sendFrom(payer, chain.token, 'cancelAuthorization', [payer.address, nonce, v, r, s]);
}

test('a payment from a wallet of another organisation is refused', async () => {
  const owner = await app.registerOrgAdmin();
  const payer = await chain.createPayer();
  await bindWallet(app, owner.token, payer);
  const headers = buildPaymentHeader(await signPayment(chain, payer));
  await expect(payByHeaders(app, headers, buildPaidRead())).rejects.toMatchObject({
    code: 'payment_wallet_foreign',
  });
  const own = await payByHeaders(app, headers, buildPaidRead({ org_id: owner.org_id }));
  expect(own.kind).toBe('settled');
});

test('the transaction of a settled payment does not pay again as a transfer', async () => {
  const owner = await app.registerOrgAdmin();
  const payer = await chain.createPayer();
  await bindWallet(app, owner.token, payer);
  const read = buildPaidRead({ org_id: owner.org_id });
  const { payment } = await payByHeaders(app, buildPaymentHeader(await signPayment(chain, payer)), read);
  for (const member_id of [read.member_id, buildPaidRead().member_id])
    await expect(payByHash(app, payment.transaction!, { ...read, member_id })).rejects.toMatchObject({
      code: 'payment_already_used',
    });
});

test('an authorisation that was presented as a transfer does not pay again as a signature', async () => {
  const owner = await app.registerOrgAdmin();
  const payer = await chain.createPayer();
  await bindWallet(app, owner.token, payer);
  const payment = await signPayment(chain, payer);
  const { to, value, validAfter, validBefore, nonce } = payment.fields;
  const transaction = await chain.sendFrom(payer, chain.token, 'transferWithAuthorization', [
    payer.address,
    to,
    value,
    validAfter,
    validBefore,
    nonce,
    payment.signature,
  ]);
  app.clock.set(new Date());
  await payByHash(app, transaction, buildPaidRead({ org_id: owner.org_id }));
  const taking = payByHeaders(app, buildPaymentHeader(payment), buildPaidRead({ org_id: owner.org_id }));
  await expect(taking).rejects.toMatchObject({ code: 'payment_already_used' });
});

describe('a payment that a lost process was settling', () => {
  /** Leaves a claim as a process does that was killed while it settled. */
  async function leaveSettling(payment_id: string, state: 'settling' | 'claimed') {
    await app.sql.run(sql`alter table payments disable trigger payments_guarded`);
    await app.sql.run(sql`
      update payments set state = ${state}, settled_at = null, transaction = null, log_index = null,
        attempt_until = ${app.clock.now()} where id = ${payment_id}`);
    await app.sql.run(sql`alter table payments enable trigger payments_guarded`);
    await app.sql.run(sql`alter table payment_keys disable trigger payment_keys_append_only`);
    await app.sql.run(sql`delete from payment_keys where payment_id = ${payment_id} and key like 'log:%'`);
    await app.sql.run(sql`alter table payment_keys enable trigger payment_keys_append_only`);
  }

  test('is found on the chain by the task', async () => {
    const [payer, read] = [await chain.createPayer(), buildPaidRead()];
    const { payment } = await payByHeaders(app, buildPaymentHeader(await signPayment(chain, payer)), read);
    await leaveSettling(payment.payment_id, 'settling');
    app.clock.advance(120_000);
    await runTask(app, reconcilePayments, {});
    expect(await listStates(app, read)).toEqual(['settled']);
    const stored = await app.sql.one(
      sql<{ transaction: string }>`select transaction from payments where id = ${payment.payment_id}`,
    );
    expect(stored.transaction).toBe(payment.transaction);
  });

  test('continues when the same payment is sent again', async () => {
    const [payer, read] = [await chain.createPayer(), buildPaidRead()];
    const headers = buildPaymentHeader(await signPayment(chain, payer));
    const { payment } = await payByHeaders(app, headers, read);
    await leaveSettling(payment.payment_id, 'settling');
    app.clock.advance(60_000);
    expect(await payByHeaders(app, headers, read)).toMatchObject({
      kind: 'settled',
      payment: { payment_id: payment.payment_id, transaction: payment.transaction },
    });
    expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
  });
});
