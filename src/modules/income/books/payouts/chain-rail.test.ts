import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, test } from 'vitest';
import { checkBooks, formatReport, toReportFields } from '#modules/income/books';
import { postRefundJournal } from '#modules/income/books';
import { sql } from '#platform/database/database.ts';
import { randomUUID } from 'node:crypto';
import { startChain } from '#test/chain/start-chain.ts';
import { startApp } from '#test/harness.ts';
import { recordSoldRead } from '#test/modules/books.ts';
import type { TestMember } from '#test/users.ts';
import { advancePayout } from './advance-payout.ts';
import { createChainRail } from './chain-rail.ts';
import { sendPayouts } from './send-payouts.ts';
import { findPayout, listUnfinished } from './store.ts';

const payoutKey = generatePrivateKey();
const wallet = privateKeyToAccount(payoutKey).address;

const chain = await startChain();
await chain.control.setBalance({ address: wallet, value: 10n ** 19n });
const app = await startApp({
  ...chain.environment,
  TESSERA_PAYMENT_RAIL: 'transfer',
  TESSERA_EVM_PAY_TO: wallet,
  TESSERA_EVM_PAYOUT_KEY: payoutKey,
  TESSERA_PAYOUT_HOLD_SECONDS: '0',
});

/** A member with an available income, whose payment is on the chain. */
async function createEarner(gross = 4_000_000n): Promise<TestMember> {
  const member = await app.registerMember();
  await chain.mint(wallet, gross);
  await recordSoldRead(app, member.member_id, { gross, hold_seconds: 0, rail: 'transfer' });
  return member;
}

const createAddress = () => privateKeyToAccount(generatePrivateKey()).address;

const requestPayout = ({ token }: TestMember, body: object) =>
  app.request('POST', '/members/me/payouts', { token, body });

const listPayouts = async ({ token }: TestMember) =>
  (await app.request('GET', '/members/me/payouts', { token })).body.data;

/** Runs the task of payouts until the chain has mined the last payout of a member, which takes as long as the chain takes. */
async function workUntilPaid(member: TestMember): Promise<void> {
  await expect
    .poll(
      async () => {
        await app.sql.transaction((tx) => app.platform.queue.send(tx, sendPayouts, {}));
        await app.drainQueue();
        return (await listPayouts(member))[0].status;
      },
      { timeout: 20_000 },
    )
    .toBe('paid');
}

describe('a payout on the chain', () => {
  test('arrives, is settled, and the books have what the chain has', async () => {
    const [member, destination] = [await createEarner(), createAddress()];
    expect((await requestPayout(member, { amount: 2.5, destination })).status).toBe(201);
    await workUntilPaid(member);
    expect(await chain.readBalance(destination)).toBe(2_500_000n);
    const [payout] = await listPayouts(member);
    expect(payout).toMatchObject({
      status: 'paid',
      transaction_hash: expect.stringMatching(/^0x[\da-f]{64}$/),
    });
    const { faults, cash } = await checkBooks(app.platform);
    expect(faults).toEqual([]);
    expect(cash!.chain).toBe(await chain.readBalance(wallet));
    expect(cash!.books).toBe(cash!.chain);
  });

  test('is sent once, even if its process is killed at each step', async () => {
    const [member, destination] = [await createEarner(), createAddress()];
    await requestPayout(member, { amount: 1, destination });
    const killedError = new Error('killed');
    const throwKilled = () => Promise.reject(killedError);
    const rail = createChainRail(app.platform);
    const [payout] = await listUnfinished(app.platform.database, undefined, 10);
    const killed = [
      { ...rail, sendTransfer: throwKilled },
      { ...rail, readOutcome: throwKilled },
      { ...rail, readOutcome: throwKilled },
      { ...rail, sendTransfer: throwKilled },
    ];
    for (const each of killed)
      await expect(advancePayout(app.platform, each, payout!)).rejects.toThrow('killed');
    expect((await listPayouts(member))[0].status).toBe('sending');
    await Promise.all([1, 2, 3].map(() => advancePayout(app.platform, rail, payout!)));
    await workUntilPaid(member);
    expect(await chain.readBalance(destination)).toBe(1_000_000n);
    expect((await checkBooks(app.platform)).faults).toEqual([]);
  });

  test('of several members at once takes a nonce each', async () => {
    const members = [await createEarner(), await createEarner(), await createEarner()];
    const destination = createAddress();
    for (const member of members) await requestPayout(member, { amount: 1.25, destination });
    const payouts = await listUnfinished(app.platform.database, undefined, 10);
    const rail = createChainRail(app.platform);
    await Promise.all(payouts.map((payout) => advancePayout(app.platform, rail, payout)));
    await app.drainQueue();
    expect(await chain.readBalance(destination)).toBe(3_750_000n);
  });

  test('waits while the wallet has too little, and changes no book', async () => {
    const member = await app.registerMember();
    await recordSoldRead(app, member.member_id, { gross: 900_000_000n, hold_seconds: 0, rail: 'transfer' });
    const destination = createAddress();
    await requestPayout(member, { amount: 600, destination });
    await expect(
      advancePayout(
        app.platform,
        createChainRail(app.platform),
        (await listUnfinished(app.sql, undefined, 10))[0]!,
      ),
    ).rejects.toThrow(/balance|revert|insufficient/i);
    expect((await listPayouts(member))[0]).toMatchObject({ status: 'requested', transaction_hash: null });
    expect((await checkBooks(app.platform)).faults).toMatchObject([{ code: 'cash_missing' }]);
    await chain.mint(wallet, 900_000_000n);
    await app.drainQueue();
    await app.sql.transaction((tx) => app.platform.queue.send(tx, sendPayouts, {}));
    await app.drainQueue();
    expect(await chain.readBalance(destination)).toBe(600_000_000n);
    expect((await checkBooks(app.platform)).faults).toEqual([]);
  });
});

test('a payment for which nothing may be sold goes back to its payer', async () => {
  const payer = createAddress().toLowerCase();
  await chain.mint(wallet, 250_000n);
  await app.platform.database.transaction((tx) =>
    postRefundJournal(tx, {
      payment_id: randomUUID(),
      org_id: randomUUID(),
      payer,
      rail: 'transfer',
      gross: 250_000n,
      at: app.clock.now(),
      reason: 'consent_withdrawn',
    }),
  );
  const work = async () => {
    await app.sql.transaction((tx) => app.platform.queue.send(tx, sendPayouts, {}));
    await app.drainQueue();
    const { balances, faults } = await checkBooks(app.platform);
    return [balances.owed_to_payers, balances.payouts_in_progress, faults];
  };
  // The chain takes its time to mine the transfer.
  await expect.poll(work).toEqual([0n, 0n, []]);
  expect(await chain.readBalance(payer as `0x${string}`)).toBe(250_000n);
});

test('an address with a wrong checksum, of nobody, or of the service is refused', async () => {
  const member = await createEarner();
  const address = createAddress();
  const wrongCase = address.replace(/[a-f]/i, (digit) =>
    digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase(),
  );
  for (const destination of [wrongCase, `0x${'0'.repeat(40)}`, wallet, chain.token.toLowerCase()]) {
    const { status, body } = await requestPayout(member, { amount: 1, destination });
    expect([status, body.code, body.errors?.[0]?.pointer]).toEqual([422, 'field_invalid', '/destination']);
  }
  expect((await requestPayout(member, { amount: 1, destination: address.toLowerCase() })).status).toBe(201);
  const { count } = await app.sql.one(sql<{ count: number }>`select count(*) from payout_nonces`);
  expect(count).toBe(1);
});

describe('a payout that is not mined', () => {
  afterEach(() => chain.control.setAutomine(true));

  /** A payout that was sent while the chain mines nothing, and is due for a higher fee. */
  async function sendUnmined() {
    const [member, destination] = [await createEarner(), createAddress()];
    await requestPayout(member, { amount: 2, destination });
    await chain.control.setAutomine(false);
    const rail = createChainRail(app.platform);
    const payout = (await listUnfinished(app.sql, undefined, 100)).find(
      ({ holder_id }) => holder_id === member.member_id,
    )!;
    const advance = (changed = rail) => advancePayout(app.platform, changed, payout);
    await advance();
    const readStored = async () => (await findPayout(app.sql, payout))!;
    const first = (await readStored()).transaction_hash!;
    app.clock.advance(599_000);
    await advance();
    expect((await readStored()).transaction_hash).toBe(first);
    app.clock.advance(1_000);
    return { member, destination, rail, advance, readStored, first };
  }

  async function addBlocks(): Promise<void> {
    await chain.control.setAutomine(true);
    await chain.control.mine({ blocks: 3 });
  }

  test('gets a higher fee with the same nonce after ten minutes, and is paid once', async () => {
    const { destination, advance, readStored, first } = await sendUnmined();
    await advance();
    const raised = await readStored();
    expect(raised.earlier_hashes).toEqual([first]);
    const pending = await chain.reader.getTransaction({ hash: raised.transaction_hash as `0x${string}` });
    // The node has the new one in place of the first.
    await expect(chain.reader.getTransaction({ hash: first as `0x${string}` })).rejects.toThrow(
      'could not be found',
    );
    expect(pending.blockNumber).toBeNull();
    await addBlocks();
    await advance();
    expect(await readStored()).toMatchObject({ status: 'paid', transaction_hash: raised.transaction_hash });
    expect(await chain.readBalance(destination)).toBe(2_000_000n);
    expect((await checkBooks(app.platform)).faults).toEqual([]);
  });

  test('is paid once by its first transaction if that is mined after a higher fee was stored', async () => {
    const { destination, rail, advance, readStored, first } = await sendUnmined();
    const throwKilled = () => Promise.reject(new Error('killed'));
    let sent = 0;
    const killed = { ...rail, sendTransfer: () => (sent++ === 0 ? Promise.resolve() : throwKilled()) };
    await expect(advance(killed)).rejects.toThrow('killed');
    expect((await readStored()).earlier_hashes).toEqual([first]);
    await addBlocks();
    await advance();
    expect(await readStored()).toMatchObject({ status: 'paid', transaction_hash: first });
    await advance();
    expect(await chain.readBalance(destination)).toBe(2_000_000n);
    expect((await checkBooks(app.platform)).faults).toEqual([]);
  });
});

test('a node that is behind the books is not taken for missing cash, and one that has caught up is', async () => {
  const member = await app.registerMember();
  const head = await chain.reader.getBlock();
  const at = new Date((Number(head.timestamp) + 3_600) * 1000);
  await recordSoldRead(app, member.member_id, { gross: 5_000_000n, hold_seconds: 0, rail: 'transfer', at });
  const behind = await checkBooks(app.platform);
  expect([behind.faults, behind.cash!.is_behind]).toEqual([[], true]);
  expect(formatReport(toReportFields(behind))['chain']).toContain('not compared');
  await chain.control.setNextBlockTimestamp({ timestamp: head.timestamp + 3_600n });
  await chain.control.mine({ blocks: 1 });
  const current = await checkBooks(app.platform);
  expect([current.faults, current.cash!.is_behind]).toMatchObject([[{ code: 'cash_missing' }], false]);
  await chain.mint(wallet, 5_000_000n);
  expect((await checkBooks(app.platform)).faults).toEqual([]);
});
