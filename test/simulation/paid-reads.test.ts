import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { chargeBalance, checkBooks, sendPayouts } from '#modules/income/books';
import { setTier } from '#modules/organisations/orgs';
import { takePayment, readPaymentProof } from '#modules/income/payments';
import { finishReads, type DataType } from '#modules/income/reads';
import { Refusal } from '#lib/refusal.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp, type TestReply } from '#test/harness.ts';
import {
  allTypes,
  approveCategory,
  decideConsent,
  encodePayment,
  findAliases,
  registerReadable,
  sendRead,
} from '#test/modules/reads.ts';
import { buyRead, encodeBalancePayment, fillBalance, readLeft } from '#test/modules/balances.ts';
import { sample_destination } from '#test/modules/books.ts';
import { logInAgain, type TestMember, type TestOrgUser } from '#test/users.ts';
import { countBrokenRules } from './check-books.ts';

/** `SIMULATION_SEED=17 SIMULATION_STEPS=20000 vitest run test/simulation` repeats a run, or makes a longer one. */
const seed = Number(process.env['SIMULATION_SEED'] ?? randomInt(1_000_000));
const steps = Number(process.env['SIMULATION_STEPS'] ?? 500);

/** Types without a culture profile. */
const types = allTypes.filter((type) => type !== 'alignment');

type Seller = { readonly member: TestMember; consented: boolean; readonly approved: Set<DataType> };
/** `filled` and the spent amounts of its reads say what its balance must have left. */
type Buyer = { org: TestOrgUser; readonly aliases: readonly string[]; filled: number };
type Purchase = {
  readonly buyer: Buyer;
  readonly seller: number;
  readonly data_type: DataType;
  readonly payment: string;
  readonly from_balance: boolean;
};

/** What the simulation knows: who sells what, who buys, and what was paid for, with the first reply. */
type World = {
  readonly app: TestApp;
  readonly drawNumber: () => number;
  readonly sellers: readonly Seller[];
  readonly buyers: readonly Buyer[];
  readonly purchases: Map<string, { readonly purchase: Purchase; readonly reply: TestReply }>;
  /** Payments that were settled by a process that was then lost. */
  readonly lost: Purchase[];
};

test(`${steps} random steps break no rule (seed ${seed})`, async () => {
  const world = await createWorld();
  const trail: string[] = [];
  for (let step = 0; step < steps; step++) {
    const name = await takeStep(world);
    trail.push(name);
    const broken = Object.entries(await countBrokenRules(world.app)).filter(([, count]) => count !== 0);
    if (broken.length > 0)
      throw new Error(
        `seed ${seed}, step ${step}, after ${trail.slice(-10).join(', ')}: ${JSON.stringify(broken)}`,
      );
  }
  // The run has done what it is for.
  expect(world.purchases.size).toBeGreaterThan(steps / 10);
}, 1_800_000);

async function createWorld(): Promise<World> {
  const app = await startApp();
  const members: TestMember[] = [];
  for (let index = 0; index < 4; index++) members.push(await registerReadable(app, types));
  const buyers: Buyer[] = [];
  for (let index = 0; index < 3; index++) {
    const org = await app.registerOrgAdmin({ name: `Buyer ${index}` });
    if (index > 0) await setTier(app.platform, { org: org.org_id, tier: 'E2 Builder' });
    buyers.push({ org, aliases: await findAliases(app, org, members), filled: 0 });
  }
  const sellers = members.map((member) => ({ member, consented: true, approved: new Set<DataType>(types) }));
  return { app, drawNumber: createSeededRandom(seed), sellers, buyers, purchases: new Map(), lost: [] };
}

/** What can happen, and how often it does, in shares of all steps. */
const happenings: readonly (readonly [
  name: string,
  share: number,
  happen: (world: World) => Promise<void>,
])[] = [
  ['a paid read', 0.31, readPaid],
  ['a filled balance', 0.05, fillOne],
  ['a free read', 0.06, readFree],
  ['a repeated payment', 0.12, repeatPayment],
  ['a payment for something else', 0.06, misusePayment],
  ['the same payment several times at once', 0.06, readAtOnce],
  ['a decision at the same time', 0.06, readDuringDecision],
  ['a decision', 0.12, decide],
  ['a lost process', 0.06, loseProcess],
  ['a payout', 0.04, requestPayout],
  ['time', 0.06, passTime],
];

async function takeStep(world: World): Promise<string> {
  let rest = world.drawNumber();
  for (const [name, share, happen] of happenings) {
    rest -= share;
    if (rest > 0) continue;
    await happen(world);
    return name;
  }
  return 'nothing';
}

function choose<Value>({ drawNumber }: World, values: readonly Value[]): Value {
  return values[Math.floor(drawNumber() * values.length)]!;
}

function planPurchase(world: World): Purchase {
  const payment = `tx-${Math.floor(world.drawNumber() * 2 ** 48).toString(36)}`;
  const seller = Math.floor(world.drawNumber() * world.sellers.length);
  const from_balance = world.drawNumber() < 0.5;
  return {
    buyer: choose(world, world.buyers),
    seller,
    data_type: choose(world, types),
    payment,
    from_balance,
  };
}

function send(
  { app }: World,
  { buyer, seller, data_type, payment, from_balance }: Purchase,
  isPaid = true,
): Promise<TestReply> {
  if (isPaid && from_balance)
    return buyRead(app, buyer.org, buyer.aliases[seller]!, { data_type, key: payment });
  return sendRead(app, buyer.org, buyer.aliases[seller]!, isPaid ? { data_type, payment } : { data_type });
}

/** What the member's decisions say about a purchase. */
function findExpectedRefusal({ sellers }: World, { seller, data_type }: Purchase): string | undefined {
  const { consented, approved } = sellers[seller]!;
  if (!consented) return 'consent_required';
  return approved.has(data_type) ? undefined : 'category_not_approved';
}

/** A read succeeds if the member allows it and the quota is not spent, and else fails for this reason. */
function checkReply(
  world: World,
  purchase: Purchase,
  { status, body }: TestReply,
  others: readonly string[],
): void {
  const refusal = findExpectedRefusal(world, purchase);
  const code = status === 200 ? undefined : (body.code as string);
  const isExpected = refusal === undefined ? code === undefined || others.includes(code) : code === refusal;
  if (!isExpected)
    throw new Error(`seed ${seed}: a read ended with ${code ?? status} instead of ${refusal ?? 'success'}`);
}

async function readPaid(world: World): Promise<void> {
  const purchase = planPurchase(world);
  const reply = await send(world, purchase);
  checkReply(world, purchase, reply, ['query_quota_spent', 'payment_balance_too_low']);
  if (reply.status === 200) world.purchases.set(purchase.payment, { purchase, reply });
}

async function readFree(world: World): Promise<void> {
  const purchase = planPurchase(world);
  checkReply(world, purchase, await send(world, purchase, false), ['query_quota_spent', 'payment_required']);
}

/** Whatever the member has decided since, the stored result comes back. */
async function repeatPayment(world: World): Promise<void> {
  const known = [...world.purchases.values()];
  if (known.length === 0) return;
  const { purchase, reply } = choose(world, known);
  const again = await send(world, purchase);
  expect([again.status, again.body], `seed ${seed}`).toEqual([200, reply.body]);
}

async function misusePayment(world: World): Promise<void> {
  const known = [...world.purchases.values()];
  if (known.length === 0) return;
  const { purchase } = choose(world, known);
  const { payment, from_balance } = purchase;
  const other = { ...planPurchase(world), payment, from_balance };
  if (isSame(purchase, other)) return;
  const { status } = await send(world, other);
  expect(status, `seed ${seed}`).toBeGreaterThan(400);
}

/** A key of one balance is free for another one. */
function isSame(one: Purchase, other: Purchase): boolean {
  if (one.from_balance && one.buyer !== other.buyer) return true;
  return one.buyer === other.buyer && one.seller === other.seller && one.data_type === other.data_type;
}

async function readAtOnce(world: World): Promise<void> {
  const purchase = planPurchase(world);
  const replies = await Promise.all(Array.from({ length: 5 }, () => send(world, purchase)));
  for (const reply of replies)
    checkReply(world, purchase, reply, ['query_quota_spent', 'payment_refunded', 'payment_balance_too_low']);
  const first = replies.find(({ status }) => status === 200);
  if (first) world.purchases.set(purchase.payment, { purchase, reply: first });
}

/** The read and the decision may come in either order, and the rules hold in both. */
async function readDuringDecision(world: World): Promise<void> {
  const purchase = planPurchase(world);
  const seller = world.sellers[purchase.seller]!;
  const [reply] = await Promise.all([
    send(world, purchase),
    decideConsent(world.app, seller.member, 'identity_queries', false),
  ]);
  seller.consented = false;
  seller.approved.clear();
  if (reply.status === 200) world.purchases.set(purchase.payment, { purchase, reply });
}

async function decide(world: World): Promise<void> {
  const seller = choose(world, world.sellers);
  if (!seller.consented) {
    await decideConsent(world.app, seller.member, 'identity_queries', true);
    for (const type of types) await approveCategory(world.app, seller.member, type);
    seller.consented = true;
    for (const type of types) seller.approved.add(type);
    return;
  }
  const type = choose(world, types);
  const approved = !seller.approved.has(type);
  await approveCategory(world.app, seller.member, type, approved);
  if (approved) seller.approved.add(type);
  else seller.approved.delete(type);
}

/** The payment is settled, and the process ends before the read is recorded. */
async function loseProcess(world: World): Promise<void> {
  const purchase = planPurchase(world);
  const { buyer, seller, data_type, payment, from_balance } = purchase;
  const { platform } = world.app;
  const encode = from_balance ? encodeBalancePayment : encodePayment;
  const paid = takePayment(platform, readPaymentProof(encode(payment))!, {
    org_id: buyer.org.org_id,
    user_id: buyer.org.user_id,
    member_id: world.sellers[seller]!.member.member_id,
    data_type,
    price: 250_000n,
    charge: (tx, { id, org_id, data_type, amount_micros, created_at: at }) =>
      chargeBalance(platform, tx, { payment_id: id, org_id, data_type, amount: BigInt(amount_micros), at }),
  });
  const isPaid = await paid.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal && error.code === 'payment_balance_too_low') return false;
      throw error;
    },
  );
  if (isPaid) world.lost.push(purchase);
}

/** The operator records money, sometimes so little that the balance soon is empty. */
async function fillOne(world: World): Promise<void> {
  const buyer = choose(world, world.buyers);
  const amount = choose(world, [0.25, 1, 5]);
  await fillBalance(world.app, buyer.org, amount);
  buyer.filled += amount * 1_000_000;
}

/** What was filled and not spent is left: what came back counts as never spent. */
async function checkBalances({ app, buyers }: World): Promise<void> {
  for (const { org, filled } of buyers) {
    const { spent } = await app.sql.one(sql<{ spent: number }>`
      select coalesce(sum(amount_micros), 0)::bigint as spent from payments
      where org_id = ${org.org_id} and rail = 'balance' and state <> 'refused'`);
    const left = await readLeft(app, org);
    expect(Math.round(left * 1_000_000), `seed ${seed}`).toBe(filled - spent);
  }
}

/** Whatever the member asks for, no more than the available income leaves. */
async function requestPayout(world: World): Promise<void> {
  const { member } = choose(world, world.sellers);
  const amount = choose(world, [undefined, 1, 2.5, 1_000]);
  const { status } = await world.app.request('POST', '/members/me/payouts', {
    token: member.token,
    body: { destination: sample_destination, ...(amount !== undefined && { amount }) },
  });
  expect([201, 403, 409, 422], `seed ${seed}`).toContain(status);
}

/**
 * Time passes: lost payments are finished or refunded by the task, and now and then days pass, so that
 * income becomes available. Then the whole ledger is checked, as the operator's command does. */
async function passTime(world: World): Promise<void> {
  const { app, drawNumber } = world;
  app.clock.advance(drawNumber() < 0.2 ? 72 * 3_600_000 : 130_000);
  await app.platform.database.transaction(async (tx) => {
    await app.platform.queue.send(tx, finishReads, {});
    await app.platform.queue.send(tx, sendPayouts, {});
  });
  await app.drainQueue();
  const { count } = await countUnfinished(app);
  expect(count, `seed ${seed}: every lost payment is finished or refunded`).toBe(0);
  world.lost.length = 0;
  expect((await checkBooks(app.platform)).faults, `seed ${seed}`).toEqual([]);
  for (const buyer of world.buyers) buyer.org = { ...buyer.org, token: await logInAgain(app, buyer.org) };
  await checkBalances(world);
  for (const seller of world.sellers)
    Object.assign(seller, { member: { ...seller.member, token: await logInAgain(app, seller.member) } });
}

function countUnfinished(app: TestApp): Promise<{ readonly count: number }> {
  return app.sql.one(sql<{ count: number }>`select count(*) from payments where state = 'settled'`);
}
