import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startChain, type TestChain } from '#test/chain/start-chain.ts';
import type { TestApp } from '#test/harness.ts';
import {
  bindWallet,
  buildPaidRead,
  payByHash,
  listStates,
  recordResult,
  startPaidApp,
} from '#test/modules/payments.ts';
import { proves } from '#test/requirements.ts';

let chain: TestChain;
let app: TestApp;
let payer: Awaited<ReturnType<TestChain['createPayer']>>;
let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
beforeAll(async () => {
  chain = await startChain();
  app = await startPaidApp(chain, { TESSERA_EVM_CONFIRMATIONS: '2' });
  payer = await chain.createPayer();
  org = await app.registerOrgAdmin();
  await bindWallet(app, org.token, payer);
});
beforeEach(() => {
  app.clock.set(new Date());
});

/** Pays the service, or another address or token, and mines blocks on top. */
async function pay({ value = 50_000n, to = chain.payTo, asset = chain.token, blocks = 1, by = payer } = {}) {
  const hash = await chain.sendFrom(by, asset, 'transfer', [to, value]);
  if (blocks > 0) await chain.control.mine({ blocks });
  app.clock.set(new Date());
  return hash;
}

const buildOwnRead = (changes = {}) => buildPaidRead({ org_id: org.org_id, ...changes });

test('a confirmed transfer from a wallet of the organisation pays', async () => {
  proves('payment-proof-shape-depends-on-rail');
  const [hash, wanted] = [await pay(), buildOwnRead()];
  expect(await payByHash(app, hash, wanted)).toMatchObject({
    kind: 'settled',
    payment: {
      rail: 'transfer',
      protocol_version: 'tx-hash',
      amount: 50_000n,
      payer: payer.address.toLowerCase(),
      transaction: hash,
    },
  });
});

test('a transfer above the price is accepted with what was paid', async () => {
  const taken = await payByHash(app, await pay({ value: 70_000n }), buildOwnRead());
  expect(taken.payment.amount).toBe(70_000n);
});

test('a transfer beyond every number of the books is refused', async () => {
  const huge = 2n ** 53n;
  await chain.mint(payer.address, huge);
  const taking = payByHash(app, await pay({ value: huge }), buildOwnRead());
  await expect(taking).rejects.toMatchObject({ code: 'payment_overpaid' });
});

test('a transfer pays once: the same read gets its result, another is refused, in any spelling of the hash', async () => {
  const [hash, wanted] = [await pay(), buildOwnRead()];
  const upper = `0x${hash.slice(2).toUpperCase()}`;
  await recordResult(app, await payByHash(app, hash, wanted), 'read');
  for (const same of [hash, upper])
    expect(await payByHash(app, same, wanted)).toMatchObject({
      kind: 'recorded',
      result: { result: 'read' },
    });
  for (const other of [hash, upper])
    await expect(payByHash(app, other, buildOwnRead())).rejects.toMatchObject({
      code: 'payment_already_used',
    });
  // Long after, as well.
  app.clock.advance(86_400_000);
  expect((await payByHash(app, hash, wanted)).kind).toBe('recorded');
});

test('of many equal transfers at once, one is claimed', async () => {
  const [hash, wanted] = [await pay(), buildOwnRead()];
  const payments = await Promise.all(Array.from({ length: 6 }, () => payByHash(app, hash, wanted)));
  expect(new Set(payments.map(({ payment }) => payment.payment_id)).size).toBe(1);
});

test('two transfers in one transaction pay for two reads, and no third', async () => {
  const hash = await chain.sendFrom(payer, chain.token, 'transferTwice', [chain.payTo, 50_000n]);
  await chain.control.mine({ blocks: 1 });
  app.clock.set(new Date());
  await payByHash(app, hash, buildOwnRead());
  await payByHash(app, hash, buildOwnRead());
  await expect(payByHash(app, hash, buildOwnRead())).rejects.toMatchObject({
    code: 'payment_already_used',
  });
});

describe('a transfer is refused, and nothing is stored', () => {
  async function expectRefusal(code: string, hash: string, wanted = buildOwnRead()) {
    const before = await listStates(app, wanted);
    await expect(payByHash(app, hash, wanted)).rejects.toMatchObject({ code });
    expect(await listStates(app, wanted)).toEqual(before);
  }

  test('if another organisation presents its hash', async () => {
    const other = await app.registerOrgAdmin();
    const hash = await pay();
    const wanted = buildOwnRead({ org_id: other.org_id });
    await expectRefusal('payment_wallet_foreign', hash, wanted);
    expect((await payByHash(app, hash, buildOwnRead())).kind).toBe('settled');
  });

  test('if its wallet belongs to nobody', async () => {
    await expectRefusal('payment_wallet_foreign', await pay({ by: await chain.createPayer() }));
  });

  test('below the price', async () =>
    expectRefusal('payment_underpaid', await pay({ value: 49_999n }), buildPaidRead({ org_id: org.org_id })));

  test('to another payee', async () =>
    expectRefusal('payment_wrong_payee', await pay({ to: '0x00000000000000000000000000000000000000aa' })));

  test('of another token, whose event is the same', async () =>
    expectRefusal('payment_wrong_asset', await pay({ asset: chain.otherToken })));

  test('that the chain does not have', async () =>
    expectRefusal('payment_not_found', `0x${randomBytes(32).toString('hex')}`));

  test('whose hash is none', async () => expectRefusal('malformed_payment', '0x1234'));

  test('with one confirmation of two, until it has the second', async () => {
    const hash = await pay({ blocks: 0 });
    await expectRefusal('payment_unconfirmed', hash);
    await chain.control.mine({ blocks: 1 });
    expect((await payByHash(app, hash, buildOwnRead())).kind).toBe('settled');
  });

  test('that a reorganisation of the chain has removed', async () => {
    const hash = await pay({ blocks: 0 });
    await expectRefusal('payment_unconfirmed', hash);
    await chain.control.request({ method: 'anvil_reorg', params: [1, []] } as never);
    await chain.control.mine({ blocks: 3 });
    await expectRefusal('payment_not_found', hash);
  });

  test('that is older than 15 minutes', async () => {
    const hash = await pay();
    app.clock.advance(16 * 60_000);
    await expectRefusal('payment_too_old', hash);
  });
});

test('outside development, the timestamp must be within 60 seconds', async () => {
  proves('payment-timestamp-within-60-seconds', 'payment-timestamp-is-unix-seconds');
  const production = {
    ...app,
    platform: { ...app.platform, config: { ...app.platform.config, production: true } },
  };
  const hash = await pay();
  const seconds = Math.floor(app.clock.now().getTime() / 1000);
  for (const timestamp of [seconds - 61, seconds + 62])
    await expect(payByHash(production, hash, buildOwnRead(), timestamp)).rejects.toMatchObject({
      code: 'payment_timestamp_skewed',
    });
  expect((await payByHash(production, hash, buildOwnRead(), seconds - 58)).kind).toBe('settled');
});

test('without an answer of the chain nothing is known, so that nothing is accepted', async () => {
  const offline = await startPaidApp(chain, { TESSERA_EVM_RPC_URL: 'http://127.0.0.1:9' });
  const taking = payByHash(offline, await pay(), buildOwnRead());
  await expect(taking).rejects.toMatchObject({
    code: 'chain_unavailable',
    extras: { headers: { 'retry-after': expect.any(String) } },
  });
});
