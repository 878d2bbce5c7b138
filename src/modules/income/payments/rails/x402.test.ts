import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Refusal } from '#lib/refusal.ts';
import { reconcileClaims } from '#modules/income/payments';
import { sql } from '#platform/database/database.ts';
import { startChain, type TestChain } from '#test/chain/start-chain.ts';
import type { TestApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import {
  bindWallet,
  buildPaymentHeader,
  buildPurchase,
  claimByHash,
  claimByHeaders,
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
  const [payer, purchase] = [await chain.createPayer(), buildPurchase()];
  const before = await chain.readBalance(chain.payTo);
  const claimed = await claimByHeaders(app, buildPaymentHeader(await signPayment(chain, payer)), purchase);
  expect(claimed).toMatchObject({
    kind: 'settled',
    payment: {
      rail: 'x402',
      protocolVersion: 'x402-v2',
      amount: 50_000n,
      payer: payer.address.toLowerCase(),
      purchase,
    },
  });
  expect((await chain.readBalance(chain.payTo)) - before).toBe(50_000n);
  expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
  const { receiptHeader, transaction } = claimed.payment;
  expect(receiptHeader!.name).toBe('PAYMENT-RESPONSE');
  expect(JSON.parse(Buffer.from(receiptHeader!.value, 'base64').toString())).toEqual({
    success: true,
    payer: payer.address.toLowerCase(),
    transaction,
    network: 'eip155:31337',
  });
});

test('a payment of version 1 of the protocol gets the receipt of version 1', async () => {
  const payment = await signPayment(chain, await chain.createPayer());
  const claimed = await claimByHeaders(app, buildPaymentHeader(payment, { version: 1 }), buildPurchase());
  expect(claimed.payment.protocolVersion).toBe('x402-v1');
  expect(claimed.payment.receiptHeader!.name).toBe('X-PAYMENT-RESPONSE');
});

test('a wallet that is a contract pays with a signature of its owner', async () => {
  const owner = await chain.createPayer();
  const wallet = await chain.deployWallet(owner.address);
  await chain.mint(wallet, 1_000_000n);
  const payment = await signPayment(chain, owner, {}, wallet);
  // The token calls the wallet for a signature that is not one of an account.
  const claimed = await claimByHeaders(app, buildPaymentHeader(payment), buildPurchase());
  expect(claimed.payment.payer).toBe(wallet.toLowerCase());
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
    const purchase = buildPurchase();
    const payment = await signPayment(chain, await chain.createPayer(), fields);
    const claiming = claimByHeaders(app, buildPaymentHeader(payment, accepted), purchase);
    await expect(claiming).rejects.toMatchObject({ code });
    expect(await listStates(app, purchase)).toEqual([]);
  });

  test('in another token', async () => {
    const payment = await signPayment(chain, await chain.createPayer(), { asset: chain.otherToken });
    const claim = (accepted = {}) =>
      claimByHeaders(app, buildPaymentHeader(payment, accepted), buildPurchase());
    await expect(claim()).rejects.toMatchObject({ code: 'payment_wrong_asset' });
    await expect(claim({ asset: chain.token })).rejects.toMatchObject({ code: 'payment_signature_invalid' });
  });

  test('with the signature of somebody who is not the payer', async () => {
    const [payer, thief] = [await chain.createPayer(), await chain.createPayer()];
    const payment = await signPayment(chain, thief, {}, payer.address);
    const claiming = claimByHeaders(app, buildPaymentHeader(payment), buildPurchase());
    await expect(claiming).rejects.toMatchObject({ code: 'payment_signature_invalid' });
  });

  test('from a wallet without enough of the token', async () => {
    const payer = await chain.createPayer();
    await chain.sendFrom(payer, chain.token, 'transfer', [chain.payTo, 4_990_000n]);
    const claiming = claimByHeaders(
      app,
      buildPaymentHeader(await signPayment(chain, payer)),
      buildPurchase(),
    );
    await expect(claiming).rejects.toMatchObject({ code: 'payment_funds_insufficient' });
  });
});

test('attack 1: the same payment five times at once is carried out once', async () => {
  const [payer, purchase] = [await chain.createPayer(), buildPurchase()];
  const headers = buildPaymentHeader(await signPayment(chain, payer));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => claimByHeaders(app, headers, purchase)),
  );
  const settled = outcomes.filter(({ status }) => status === 'fulfilled');
  expect(settled.length).toBeGreaterThan(0);
  const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as Refusal] : []));
  expect(reasons.filter(({ code }) => code !== 'payment_unresolved')).toEqual([]);
  const last = await claimByHeaders(app, headers, purchase);
  await recordResult(app, last, 'read');
  expect(await claimByHeaders(app, headers, purchase)).toMatchObject({
    kind: 'recorded',
    result: { result: 'read' },
  });
  expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
  expect(await listStates(app, purchase)).toEqual(['recorded']);
});

test('attack 2: a payment for one member buys no other, whatever the client says that it accepted', async () => {
  const [payer, purchase] = [await chain.createPayer(), buildPurchase()];
  const payment = await signPayment(chain, payer);
  await claimByHeaders(app, buildPaymentHeader(payment), purchase);
  const others = [
    { memberId: buildPurchase().memberId },
    { orgId: buildPurchase().orgId },
    { dataType: 'archetype' },
    { tool: 'query_archetype' },
  ];
  for (const other of others)
    for (const accepted of [{}, { extra: { member: other.memberId ?? '' } }])
      await expect(
        claimByHeaders(app, buildPaymentHeader(payment, accepted), { ...purchase, ...other }),
      ).rejects.toMatchObject({ code: 'payment_already_used' });
  expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
});

test('two amounts that are signed with one nonce are one payment', async () => {
  const [payer, purchase] = [await chain.createPayer(), buildPurchase()];
  const cheap = await signPayment(chain, payer);
  await claimByHeaders(app, buildPaymentHeader(cheap), purchase);
  const dear = await signPayment(chain, payer, { nonce: cheap.fields.nonce, value: 60_000n });
  const claiming = claimByHeaders(app, buildPaymentHeader(dear), purchase);
  await expect(claiming).rejects.toMatchObject({ code: 'payment_already_used' });
});

test('attack 3: a payment that a stranger has sent to the chain first is accepted, and not paid twice', async () => {
  const [payer, stranger, purchase] = [await chain.createPayer(), await chain.createPayer(), buildPurchase()];
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
  const claimed = await claimByHeaders(app, buildPaymentHeader(payment), purchase);
  expect(claimed).toMatchObject({ kind: 'settled', payment: { transaction } });
  expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
});

test('attack 4: a payment that its payer has cancelled pays for nothing', async () => {
  const [payer, purchase] = [await chain.createPayer(), buildPurchase()];
  const payment = await signPayment(chain, payer);
  await cancelPayment(payer, payment.fields.nonce);
  const claiming = claimByHeaders(app, buildPaymentHeader(payment), purchase);
  await expect(claiming).rejects.toMatchObject({ code: 'payment_failed' });
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
  await expect(claimByHeaders(app, headers, buildPurchase())).rejects.toMatchObject({
    code: 'payment_wallet_foreign',
  });
  const own = await claimByHeaders(app, headers, buildPurchase({ orgId: owner.org_id }));
  expect(own.kind).toBe('settled');
});

test('the transaction of a settled payment does not pay again as a transfer', async () => {
  const owner = await app.registerOrgAdmin();
  const payer = await chain.createPayer();
  await bindWallet(app, owner.token, payer);
  const purchase = buildPurchase({ orgId: owner.org_id });
  const { payment } = await claimByHeaders(
    app,
    buildPaymentHeader(await signPayment(chain, payer)),
    purchase,
  );
  for (const memberId of [purchase.memberId, buildPurchase().memberId])
    await expect(claimByHash(app, payment.transaction!, { ...purchase, memberId })).rejects.toMatchObject({
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
  await claimByHash(app, transaction, buildPurchase({ orgId: owner.org_id }));
  const claiming = claimByHeaders(app, buildPaymentHeader(payment), buildPurchase({ orgId: owner.org_id }));
  await expect(claiming).rejects.toMatchObject({ code: 'payment_already_used' });
});

describe('a payment that a lost process was settling', () => {
  /** Leaves a claim as a process does that was killed while it settled. */
  async function leaveSettling(claimId: string, state: 'settling' | 'claimed') {
    await app.sql.run(sql`alter table payment_claims disable trigger payment_claims_guarded`);
    await app.sql.run(sql`
      update payment_claims set state = ${state}, settled_at = null, transaction = null, log_index = null,
        attempt_until = ${app.clock.now()} where id = ${claimId}`);
    await app.sql.run(sql`alter table payment_claims enable trigger payment_claims_guarded`);
    await app.sql.run(sql`alter table payment_keys disable trigger payment_keys_append_only`);
    await app.sql.run(sql`delete from payment_keys where claim_id = ${claimId} and key like 'log:%'`);
    await app.sql.run(sql`alter table payment_keys enable trigger payment_keys_append_only`);
  }

  test('is found on the chain by the task', async () => {
    const [payer, purchase] = [await chain.createPayer(), buildPurchase()];
    const { payment } = await claimByHeaders(
      app,
      buildPaymentHeader(await signPayment(chain, payer)),
      purchase,
    );
    await leaveSettling(payment.claimId, 'settling');
    app.clock.advance(120_000);
    await runTask(app, reconcileClaims, {});
    expect(await listStates(app, purchase)).toEqual(['settled']);
    const stored = await app.sql.one(
      sql<{ transaction: string }>`select transaction from payment_claims where id = ${payment.claimId}`,
    );
    expect(stored.transaction).toBe(payment.transaction);
  });

  test('continues when the same payment is sent again', async () => {
    const [payer, purchase] = [await chain.createPayer(), buildPurchase()];
    const headers = buildPaymentHeader(await signPayment(chain, payer));
    const { payment } = await claimByHeaders(app, headers, purchase);
    await leaveSettling(payment.claimId, 'settling');
    app.clock.advance(60_000);
    expect(await claimByHeaders(app, headers, purchase)).toMatchObject({
      kind: 'settled',
      payment: { claimId: payment.claimId, transaction: payment.transaction },
    });
    expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
  });
});
