import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startChain, type TestChain } from '#test/chain/start-chain.ts';
import { finishReads } from '#modules/income/reads';
import { runTask } from '#test/modules/matching.ts';
import { fillBalance, readLeft } from '#test/modules/balances.ts';
import { bindWallet, signPayment } from '#test/modules/payments.ts';
import {
  acceptReads,
  approveCategory,
  createPayment,
  findAliases,
  payBeforeReads,
  readBooks,
  refuseReads,
  registerReadable,
  sendRead,
  spendAllowance,
} from '#test/modules/reads.ts';
import { proves } from '#test/requirements.ts';
import type { TestMember, TestOrgUser } from '#test/users.ts';
import { callTool, readProblem, revisions, startAgentApp, type AgentApp, type RpcOptions } from './agents.ts';

const paidTools = [
  'query_archetype',
  'query_trait_profile',
  'query_values_profile',
  'query_alignment',
] as const;

let chain: TestChain;
let app: AgentApp;
let member: TestMember;
let org: TestOrgUser;
let member_id: string;
let token: string;
beforeAll(async () => {
  chain = await startChain();
  app = await startAgentApp({
    TESSERA_PAYMENT_RAIL: 'mock,x402',
    ...chain.environment,
    TESSERA_EVM_FACILITATOR_KEY: chain.facilitatorKey,
  });
});
beforeEach(async () => {
  app.clock.set(new Date());
  await app.sql.run(sql`update members set matching_consented = false`);
  member = await registerReadable(app);
  org = await app.registerOrgAdmin();
  [member_id] = (await findAliases(app, org, [member])) as [string];
  token = await app.connectAgent(org, { tools: paidTools, spend_cap: 1 });
});

const readSeconds = () => Math.floor(app.clock.now().getTime() / 1000);
const pay = (tx_hash = createPayment()) => ({ _payment: { tx_hash, timestamp: readSeconds() } });
const query = (given: object = {}, options: RpcOptions = {}, tool = 'query_trait_profile') =>
  callTool(app, tool, { member_id, ...given }, { token, ...options });

async function readSpent(): Promise<number> {
  const { spent_micros } = await app.sql.one(
    sql<{
      spent_micros: number;
    }>`select spent_micros::int from agent_grants where id = ${app.findAgent(token).grant_id}`,
  );
  return spent_micros;
}

describe.each(revisions)('revision %s', (revision) => {
  test('a call without payment is an error of the protocol, with the price and how to pay', async () => {
    proves(
      'error-payment-missing-is-402-or-jsonrpc-32000',
      'error-payment-missing-carries-pricing-metadata',
      'open-undefined-surface-of-402-and-32000',
    );
    await spendAllowance(app, org);
    const { status, body } = await query({}, { revision });
    expect(status).toBe(200);
    expect(body.error).toMatchObject({
      code: -32_000,
      data: {
        type: 'payment_required',
        code: 'payment_required',
        pricing: { price: expect.any(Number), currency: 'USD', rails: ['mock', 'x402'], free_reads_left: 0 },
        payment_required: {
          x402Version: 2,
          resource: { url: 'mcp://tool/query_trait_profile' },
          accepts: [{ scheme: 'exact', payTo: expect.any(String) }],
        },
        what_to_do: expect.stringContaining('_payment'),
      },
    });
    const { body: problem } = await sendRead(app, org, member_id);
    expect(body.error.data.pricing).toEqual(problem.pricing);
    expect(await readSpent()).toBe(0);
  });

  test('a payment in the arguments buys one read, and the same payment returns it again', async () => {
    proves(
      'mcp-paid-tool-payment-in-arguments',
      'mcp-payment-fields',
      'payment-x402-used-for-paid-tools-and-credential-queries',
    );
    await spendAllowance(app, org);
    const before = await readBooks(app);
    const payment = pay();
    const first = await query(payment, { revision });
    expect(first.body.result.structuredContent).toMatchObject({
      data: { data_completeness: 'comprehensive' },
      query_metadata: { data_type: 'trait_profile' },
    });
    expect(first.body.result._meta['x402/payment-response']).toMatchObject({ success: true });
    const again = await query(payment, { revision });
    expect(again.body.result.structuredContent).toEqual(first.body.result.structuredContent);
    const after = await readBooks(app);
    expect([after.reads - before.reads, after.claims - before.claims, after.unbalanced]).toEqual([1, 1, 0]);
    expect(await readSpent()).toBe(after.claims && (await readPaid()));
  });
});

async function readPaid(): Promise<number> {
  const { paid } = await app.sql.one(
    sql<{
      paid: number;
    }>`select coalesce(sum(amount_micros), 0)::int as paid from payments where org_id = ${org.org_id}`,
  );
  return paid;
}

test('a free read needs no payment and spends nothing', async () => {
  const { body } = await query({}, {}, 'query_archetype');
  expect(body.result.structuredContent.query_metadata.payment_type).toBe('allowance');
  expect(await readSpent()).toBe(0);
});

test('the tool reads what it is called after, whatever the arguments say', async () => {
  const { body } = await query({ data_type: 'alignment' }, {}, 'query_archetype');
  expect(readProblem({ body })).toMatchObject({ code: 'field_invalid', fields: [{ field: 'data_type' }] });
});

test('a client of x402 gets the terms as a result, pays in the metadata, and gets the receipt', async () => {
  await spendAllowance(app, org);
  const payer = await chain.createPayer();
  await bindWallet(app, org.token, payer);
  const meta = { 'io.modelcontextprotocol/clientCapabilities': { experimental: { x402: {} } } };
  const { body } = await query({}, { meta });
  expect(body.result.isError).toBe(true);
  const required = body.result.structuredContent;
  expect(JSON.parse(body.result.content[0].text)).toEqual(required);
  const value = BigInt(required.accepts[0].amount);
  const signed = await signPayment(chain, payer, { value });
  const payment = { x402Version: 2, accepted: required.accepts[0], payload: signed.payload };
  const paid = await query({}, { meta: { ...meta, 'x402/payment': payment } });
  expect(paid.body.result.structuredContent.query_metadata.payment_type).toBe('x402');
  expect(paid.body.result._meta['x402/payment-response']).toMatchObject({
    success: true,
    payer: payer.address.toLowerCase(),
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  expect(await chain.readBalance(payer.address)).toBe(5_000_000n - value);
  expect(await readSpent()).toBe(Number(value));
  const repeated = await query({}, { meta: { ...meta, 'x402/payment': payment } });
  expect(repeated.body.result.structuredContent).toEqual(paid.body.result.structuredContent);
  expect(await readSpent()).toBe(Number(value));
});

describe('what an agent may spend', () => {
  test('no call exceeds the cap, even if calls race, and no money moves for those that would', async () => {
    await spendAllowance(app, org);
    const { body } = await query();
    const price = Math.round(body.error.data.pricing.price * 1e6);
    token = await app.connectAgent(org, { tools: paidTools, spend_cap: Math.floor(price / 4_000) / 100 });
    const replies = await Promise.all(Array.from({ length: 6 }, () => query(pay())));
    const refused = replies.filter((reply) => reply.body.result.isError);
    expect(refused).toHaveLength(4);
    expect(readProblem(refused[0]!)).toMatchObject({
      code: 'grant_spend_cap_reached',
      what_to_do: expect.stringContaining('/app/agents'),
    });
    expect(await readSpent()).toBe(price * 2);
    expect(await readPaid()).toBe(price * 2);
  });

  test('the balance of the organisation pays within the cap, and a call above it takes nothing from it', async () => {
    await spendAllowance(app, org);
    await fillBalance(app, org, 10);
    const { body } = await query();
    const { price, rails, balance } = body.error.data.pricing;
    expect([rails, balance]).toEqual([expect.arrayContaining(['balance']), 10]);
    token = await app.connectAgent(org, { tools: paidTools, spend_cap: Math.floor(price * 250) / 100 });
    const payFromBalance = (balance_key: string) => query({ _payment: { balance_key } });
    const replies = await Promise.all(['a', 'b', 'c', 'd', 'a'].map(payFromBalance));
    const refused = replies.filter((reply) => reply.body.result.isError);
    expect(refused.map((reply) => readProblem(reply)['code'])).toContain('grant_spend_cap_reached');
    const left = await readLeft(app, org);
    expect(await readSpent()).toBe(Math.round((10 - left) * 1e6));
    expect(left).toBeCloseTo(10 - 2 * price, 6);
  });

  test('an agent that may spend almost nothing can still use the free allowance, and nothing else', async () => {
    token = await app.connectAgent(org, { tools: ['query_archetype'], spend_cap: 0.01 });
    expect((await query({}, {}, 'query_archetype')).body.result.isError).toBeUndefined();
    await spendAllowance(app, org);
    const reply = await query(pay(), {}, 'query_archetype');
    expect(readProblem(reply)).toMatchObject({ code: 'grant_spend_cap_reached' });
  });

  test('a paid call over the cap that repeats a recorded payment returns its read', async () => {
    await spendAllowance(app, org);
    const { body } = await query();
    const price = Math.round(body.error.data.pricing.price * 1e6);
    token = await app.connectAgent(org, { tools: paidTools, spend_cap: Math.ceil(price / 10_000) / 100 });
    const payment = pay();
    const first = await query(payment);
    const again = await query(payment);
    expect(again.body.result.structuredContent).toEqual(first.body.result.structuredContent);
    expect(await readSpent()).toBe(price);
  });
});

describe('a payment that is not accepted', () => {
  beforeEach(() => spendAllowance(app, org));

  test('cannot be read', async () => {
    for (const _payment of ['x', null, { tx_hash: 7 }, { tx_hash: 'a', timestamp: 1, more: 1 }]) {
      const reply = await query({ _payment });
      expect(readProblem(reply)).toMatchObject({ code: 'malformed_payment' });
    }
  });

  test('was used for another purchase', async () => {
    const payment = pay();
    await query(payment);
    const reply = await query(payment, {}, 'query_archetype');
    expect(readProblem(reply)).toMatchObject({ code: 'payment_already_used' });
    expect(await readSpent()).toBe(await readPaid());
  });

  test('comes too late: the member has withdrawn the category', async () => {
    await approveCategory(app, member, 'trait_profile', false);
    const reply = await query(pay());
    expect(readProblem(reply)).toMatchObject({ code: 'category_not_approved' });
    expect(await readSpent()).toBe(0);
  });

  test('was settled by a process that was lost, and is owed back: the agent may spend it again', async () => {
    await payBeforeReads(app);
    await refuseReads(app);
    await query(pay());
    await acceptReads(app);
    expect(await readSpent()).toBeGreaterThan(0);
    await approveCategory(app, member, 'trait_profile', false);
    app.clock.advance(121_000);
    await Promise.all([runTask(app, finishReads, {}), runTask(app, finishReads, {})]);
    expect(await readSpent()).toBe(0);
  });

  test('does not pay: the wallet belongs to another organisation', async () => {
    const payer = await chain.createPayer();
    await bindWallet(app, (await app.registerOrgAdmin()).token, payer);
    const { body } = await query();
    const [accepted] = body.error.data.payment_required.accepts;
    const signed = await signPayment(chain, payer, { value: BigInt(accepted.amount) });
    const reply = await query({ _payment: { x402Version: 2, accepted, payload: signed.payload } });
    expect(reply.body.error).toMatchObject({ code: -32_000, data: { code: 'payment_wallet_foreign' } });
  });
});

test('an agent of a member, a viewer or another organisation buys nothing', async () => {
  const agents = [
    [member, 'role_not_allowed'],
    [await app.registerOrgAdmin(), 'member_not_found'],
  ] as const;
  for (const [user, code] of agents) {
    const connected = await app.connectAgent(user, {
      tools: user === member ? ['read_profile'] : paidTools,
      spend_cap: 1,
    });
    expect(readProblem(await query(pay(), { token: connected }))).toMatchObject({ code });
  }
});
