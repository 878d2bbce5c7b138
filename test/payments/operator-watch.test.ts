import { beforeAll, expect, test } from 'vitest';
import { checkBooksNightly, watchChain } from '#modules/income/books';
import { checkChain } from '#modules/income/payments';
import { sql } from '#platform/database/database.ts';
import { startChain, type TestChain } from '../chain/start-chain.ts';
import type { TestApp } from '../harness.ts';
import { createSold, postSold } from '../modules/books.ts';
import { runTask } from '../modules/matching.ts';
import { startPaidApp } from '../modules/payments.ts';
import { password } from '../users.ts';
import { createVisitor, type Visitor } from '../web/visitor.ts';

let chain: TestChain;
let app: TestApp;
let token: string;
let operator: Visitor;
beforeAll(async () => {
  chain = await startChain();
  app = await startPaidApp(chain);
  const admin = await app.registerPlatformAdmin();
  token = admin.token;
  operator = createVisitor(app);
  await operator.send(await operator.open('/sign-in'), 'send', { email: admin.email, password });
});

const readMoney = async () => (await app.request('GET', '/operator/health', { token })).body.money;
const readHome = async () => (await operator.open('/app/operator')).html;
const readMetrics = () => app.platform.metrics.formatText();

test('before anything is known, the page names no fault', async () => {
  expect(await readMoney()).toEqual({
    books_checked_at: null,
    book_faults: 0,
    unresolved_payments: 0,
    chain: null,
    newest_block_at: null,
  });
  expect(await readHome()).not.toContain('chain');
});

test('the operator learns that the node is up, behind, or does not answer', async () => {
  const { timestamp } = await chain.reader.getBlock();
  app.clock.set(new Date(Number(timestamp) * 1000 + 600_000));
  await runTask(app, watchChain, {});
  expect(await readMoney()).toMatchObject({
    chain: 'up',
    newest_block_at: new Date(Number(timestamp) * 1000).toISOString(),
  });
  expect(await readHome()).not.toContain('node');
  const metrics = await readMetrics();
  expect(metrics).toContain('tessera_chain_reachable 1');
  expect(metrics).toContain('tessera_chain_head_age_seconds 600');

  app.clock.advance(1_000);
  await runTask(app, watchChain, {});
  expect(await readMoney()).toMatchObject({ chain: 'behind' });
  expect(await readHome()).toContain('more than ten minutes old');

  const lost = await startPaidApp(chain, { TESSERA_EVM_RPC_URL: 'http://127.0.0.1:9' });
  await runTask(lost, watchChain, {});
  const { chain_state } = await lost.sql.one(
    sql<{
      chain_state: Date | null;
    }>`select newest_block_at as chain_state from money_watch where topic = 'chain'`,
  );
  expect(chain_state).toBeNull();
  expect(await lost.platform.metrics.formatText()).toContain('tessera_chain_reachable 0');
});

test('a fault of the books and a payment without an outcome are on the first page', async () => {
  await postSold(app, createSold(app));
  await runTask(app, checkBooksNightly, {});
  await app.sql.run(sql`
    insert into payments (id, state, rail, protocol_version, org_id, user_id, member_id, data_type, price_micros, amount_micros,
      created_at, attempted_at)
    select gen_random_uuid(), 'claimed', 'mock', 'mock', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'archetype',
      50000, 50000, age, age
    from unnest(array[${new Date(app.clock.now().getTime() - 300_001)}, ${app.clock.now()}]::timestamptz[]) as given (age)`);
  expect(await readMoney()).toMatchObject({
    book_faults: 1,
    books_checked_at: app.clock.now().toISOString(),
    unresolved_payments: 1,
  });
  const home = await readHome();
  expect(home).toContain('The nightly check of the books found faults: 1.');
  expect(home).toContain('Payments without an outcome or a read for more than five minutes: 1.');
  // The books come before what is less urgent.
  expect(home.indexOf('books found faults')).toBeLessThan(home.indexOf('Payments without an outcome'));
  expect(await readMetrics()).toContain('tessera_payments_unresolved 1');
});

test('the doctor says which chain and token the node has, and fails for another chain or a node that does not answer', async () => {
  const { payments } = app.platform.config;
  const settings = payments.chain!;
  const check = (changes: Partial<typeof settings>) =>
    checkChain({ payments: { ...payments, chain: { ...settings, ...changes } } });
  expect(await check({})).toEqual(['ok', expect.stringMatching(/^chain \d+ with the token \S/)]);
  await expect(check({ chainId: 5 })).rejects.toThrow('but TESSERA_EVM_CHAIN_ID is 5');
  await expect(check({ rpcUrl: 'http://127.0.0.1:9' })).rejects.toThrow(
    'the node of the chain does not answer',
  );
  expect(await checkChain({ payments: { ...payments, chain: undefined } })).toEqual([
    'ok',
    'not configured; no payments on a chain',
  ]);
});
