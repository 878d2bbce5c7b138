import { randomBytes } from 'node:crypto';
import { inject, beforeAll, expect, test } from 'vitest';
import { reconcilePayments } from '#modules/income/payments';
import { finishReads } from '#modules/income/reads';
import { sql } from '#platform/database/database.ts';
import { startChain, type TestChain } from '../chain/start-chain.ts';
import { cloneDatabase, startApp, type TestApp } from '../harness.ts';
import { runTask } from '../modules/matching.ts';
import { buildPaymentHeader, signPayment } from '../modules/payments.ts';
import { findAliases, registerReadable, spendAllowance } from '../modules/reads.ts';
import { answerTruly, startFacilitator, type TestFacilitator } from '../payments/facilitator-server.ts';
import { findFreePorts, prepareDataDir, runTessera, type TesseraProcess } from './run-tessera.ts';
import type { TestMember, TestOrgUser } from '../users.ts';

let chain: TestChain;
let facilitator: TestFacilitator;
/** A node that shares the database with the one that is killed. */
let app: TestApp;
let environment: Readonly<Record<string, string>>;
let org: TestOrgUser;
let member: TestMember;
let alias: string;
beforeAll(async () => {
  chain = await startChain();
  facilitator = await startFacilitator(chain);
  const database = await cloneDatabase();
  const shared = {
    TESSERA_PAYMENT_RAIL: 'x402',
    TESSERA_MASTER_KEY: randomBytes(32).toString('base64'),
    TESSERA_RATE_LIMITS: 'off',
    TESSERA_EVM_FACILITATOR_URL: facilitator.url,
    ...chain.environment,
  };
  app = await startApp({ TESSERA_PUBLIC_URL: 'http://localhost:8420', ...shared }, database);
  app.clock.set(new Date());
  const password = database.password === undefined ? '' : `:${encodeURIComponent(database.password)}`;
  const host = encodeURIComponent(database.host);
  environment = {
    ...shared,
    TESSERA_PUBLIC_URL: 'http://localhost:8420',
    TESSERA_DATA_DIR: await prepareDataDir(),
    TESSERA_DATABASE_URL: `postgres://${inject('serviceUser')}${password}@${host}:${database.port}/${database.database}`,
    TESSERA_ROLES: 'api',
  };
  org = await app.registerOrgAdmin();
  member = await registerReadable(app);
  [alias] = (await findAliases(app, org, [member])) as [string];
  await spendAllowance(app, org);
});

const buildBody = () => ({ member_id: alias, data_type: 'archetype' });

/** Signs a payment of the price, and sends it to a process of its own. */
async function sendToProcess(onStart: (service: TesseraProcess) => void = () => undefined) {
  const ports = await findFreePorts();
  const service = runTessera(['serve'], { ...environment, ...ports });
  onStart(service);
  await service.ready;
  const { body: unpaid } = await app.request('POST', '/orgs/queries/credential', {
    token: org.token,
    body: buildBody(),
  });
  const payer = await chain.createPayer();
  const value = BigInt(unpaid.accepts[0].maxAmountRequired);
  const headers = buildPaymentHeader(await signPayment(chain, payer, { value }));
  const sent = fetch(`http://127.0.0.1:${ports.TESSERA_PORT}/api/v1/orgs/queries/credential`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(buildBody()),
  });
  return {
    service,
    payer,
    value,
    headers,
    lost: sent.then(
      () => 'answered',
      () => 'lost',
    ),
  };
}

/** Sends a payment to a process that is killed when the facilitator has carried it out, before it answers. */
async function sendAndKill() {
  let service: TesseraProcess | undefined;
  facilitator.reply = async (response, question) => {
    if (question.step === 'verify') return answerTruly(response, question);
    await question.carryOut();
    await killProcess(service!);
    return response.destroy();
  };
  const sent = await sendToProcess((started) => (service = started));
  expect(await sent.lost).toBe('lost');
  facilitator.reply = answerTruly;
  return sent;
}

async function killProcess({ process, exited }: TesseraProcess) {
  process.kill('SIGKILL');
  expect(await exited).toBe('SIGKILL');
}

/** The state of the newest payment, and how often it was read. */
async function inspect() {
  const { id, state } = await app.sql.one(sql<{ id: string; state: string }>`
    select id, state from payments order by created_at desc limit 1`);
  const { reads } = await app.sql.one(sql<{ reads: number }>`
    select count(*) as reads from reads where payment_id = ${id}`);
  return { state, reads };
}

async function expectOneRead(headers: Readonly<Record<string, string>>) {
  app.clock.set(new Date());
  const replies = [];
  for (let time = 0; time < 2; time++)
    replies.push(
      await app.request('POST', '/orgs/queries/credential', { token: org.token, body: buildBody(), headers }),
    );
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(replies[1]!.body).toEqual(replies[0]!.body);
  expect(await inspect()).toEqual({ state: 'recorded', reads: 1 });
}

test('killed between the settlement and the record, a payment is read once and charged once', async () => {
  facilitator.reply = answerTruly;
  // The record waits for the row of the member.
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = app.sql.transaction(async (tx) => {
    await tx.find(sql`select id from members where id = ${member.member_id} for no key update`);
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const { service, payer, value, headers, lost } = await sendToProcess();
  await expect.poll(async () => (await inspect().catch(() => undefined))?.state).toBe('settled');
  await killProcess(service);
  expect(await lost).toBe('lost');
  held.resolve();
  await holding;
  expect(await inspect()).toEqual({ state: 'settled', reads: 0 });
  await expectOneRead(headers);
  expect(await chain.readBalance(payer.address)).toBe(5_000_000n - value);
});

test('killed while the facilitator settles, a payment is found on the chain, read once and charged once', async () => {
  const sent = await sendAndKill();
  expect(await inspect()).toEqual({ state: 'settling', reads: 0 });
  const early = await app.request('POST', '/orgs/queries/credential', {
    token: org.token,
    body: buildBody(),
    headers: sent.headers,
  });
  expect([early.status, early.body.code]).toEqual([503, 'payment_unresolved']);
  app.clock.set(new Date(Date.now() + 46_000));
  const settled = await app.request('POST', '/orgs/queries/credential', {
    token: org.token,
    body: buildBody(),
    headers: sent.headers,
  });
  expect(settled.status).toBe(200);
  await expectOneRead(sent.headers);
  expect(await chain.readBalance(sent.payer.address)).toBe(5_000_000n - sent.value);
});

test('if the client does not come back, the tasks find the payment and finish the read', async () => {
  const before = await app.sql.one(sql<{ reads: number }>`select count(*) as reads from reads`);
  await sendAndKill();
  app.clock.set(new Date(Date.now() + 120_000));
  await runTask(app, reconcilePayments, {});
  expect(await inspect()).toEqual({ state: 'settled', reads: 0 });
  app.clock.advance(180_000);
  await runTask(app, finishReads, {});
  expect(await inspect()).toEqual({ state: 'recorded', reads: 1 });
  const after = await app.sql.one(sql<{ reads: number }>`select count(*) as reads from reads`);
  expect(after.reads - before.reads).toBe(1);
});
