import { beforeEach, describe, expect, test } from 'vitest';
import { finishReads } from '#modules/income/reads';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { listStatements } from '#test/list-statements.ts';
import { runTask } from '#test/modules/matching.ts';
import {
  acceptReads,
  approveCategory,
  changeWhenPaid,
  createPayment,
  decideConsent,
  findAliases,
  readBooks,
  refuseReads,
  registerReadable,
  sendRead,
  settleWithoutRead,
  spendAllowance,
  useQuota,
} from '#test/modules/reads.ts';
import { proves } from '#test/requirements.ts';
import { sendPatiently } from '#test/send-patiently.ts';
import type { TestMember, TestOrgUser } from '#test/users.ts';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';

let app: TestApp;
let member: TestMember;
let org: TestOrgUser;
let alias: string;
beforeEach(async () => {
  app = await startApp();
  member = await registerReadable(app);
  org = await app.registerOrgAdmin();
  [alias] = (await findAliases(app, org, [member])) as [string];
});

const query = (options: Parameters<typeof sendRead>[3] = {}) => sendRead(app, org, alias, options);
const countStatuses = (replies: readonly { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const queryOften = (count: number, next: () => Parameters<typeof sendRead>[3]) =>
  Promise.all(
    Array.from({ length: count }, () => {
      const options = next();
      return sendPatiently(() => query(options));
    }),
  );

test('a paid read takes at most 22 statements', async () => {
  await spendAllowance(app, org);
  const pay = async () => {
    await query();
    const payment = createPayment();
    return listStatements(async () => expect((await query({ payment })).status).toBe(200));
  };
  await pay();
  expect((await pay()).length).toBeLessThanOrEqual(22);
});

test('a payment whose money moves in the books alone is stored with its read, or not at all', async () => {
  const payment = createPayment();
  await refuseReads(app);
  expect((await query({ payment })).status).toBe(500);
  expect(await readBooks(app)).toMatchObject({ reads: 0, claims: 0, journals: 0, refunds: 0 });
  await acceptReads(app);
  expect((await query({ payment })).status).toBe(200);
  expect(await readBooks(app)).toMatchObject({
    reads: 1,
    claims: 1,
    recorded: 1,
    journals: 1,
    unbalanced: 0,
  });
});

test('a member who withdraws while such a payment waits is not read, and nothing is owed', async () => {
  let reading: ReturnType<typeof query> | undefined;
  await app.sql.transaction(async (tx) => {
    await tx.run(sql`select from members where id = ${member.member_id} for update`);
    reading = query({ payment: createPayment() });
    await waitUntilBlocked(app);
    await tx.run(sql`
      insert into consent_records (id, member_id, consent_type, granted, version, created_at)
      values (gen_random_uuid(), ${member.member_id}, 'identity_queries', false, '1.0', ${app.clock.now()})`);
  });
  const { status, body } = (await reading)!;
  expect([status, body.code]).toEqual([403, 'consent_required']);
  expect(await readBooks(app)).toMatchObject({ reads: 0, claims: 0, journals: 0, refunds: 0 });
});

describe('many requests at the same time', () => {
  test('read exactly as often as the quota allows; the others are refused and their payments owed back', async () => {
    await useQuota(app, org, 90);
    const replies = await queryOften(100, () => ({ payment: createPayment() }));
    expect(countStatuses(replies)).toEqual({ 200: 10, 429: 90 });
    const remaining = replies
      .filter(({ status }) => status === 200)
      .map(({ body }) => body.query_metadata.remaining_daily_queries);
    expect(remaining.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const books = await readBooks(app);
    expect(books).toMatchObject({ reads: 10, recorded: 10, unbalanced: 0, income: 10 * 375_000 });
    // Those that had been settled when the quota ended; the others were refused before.
    expect(books.refused).toBe(books.claims - 10);
    expect(books.refunds).toBe(books.refused);
  });

  proves('payment-free-allowance-one-time');
  test('get exactly the last free reads; the others are asked to pay', async () => {
    await app.sql.run(sql`insert into read_allowances (org_id, read_count) values (${org.org_id}, 2)`);
    const others = await Promise.all(Array.from({ length: 11 }, () => registerReadable(app)));
    const aliases = await findAliases(app, org, others);
    const types = ['archetype', 'trait_profile', 'values_profile'] as const;
    const replies = await Promise.all(
      aliases.flatMap((name) =>
        types.map((data_type) => sendPatiently(() => sendRead(app, org, name, { data_type }))),
      ),
    );
    expect(countStatuses(replies)).toEqual({ 200: 3, 402: 30 });
    expect(await readBooks(app)).toMatchObject({ reads: 3, claims: 0, journals: 0 });
    const { read_count } = await app.sql.one(
      sql<{ read_count: number }>`select read_count from read_counts where org_id = ${org.org_id}`,
    );
    expect(read_count).toBe(3);
  });

  test('with the same payment read once, and all get its result', async () => {
    const payment = createPayment();
    const replies = await queryOften(100, () => ({ payment }));
    expect(countStatuses(replies)).toEqual({ 200: 100 });
    for (const { body } of replies) expect(body).toEqual(replies[0]!.body);
    expect(await readBooks(app)).toMatchObject({ reads: 1, claims: 1, recorded: 1, journals: 1 });
  });
});

describe('consent', () => {
  test('withdrawn before the payment refuses it: nothing is claimed', async () => {
    await decideConsent(app, member, 'identity_queries', false);
    expect((await query({ payment: createPayment() })).body.code).toBe('consent_required');
    expect(await readBooks(app)).toMatchObject({ reads: 0, claims: 0, journals: 0 });
  });

  test('withdrawn while the payment is settled prevents the read, and the amount is owed back', async () => {
    const payment = createPayment();
    await changeWhenPaid(
      app,
      `insert into consent_records (id, member_id, consent_type, granted, version, created_at)
       values (gen_random_uuid(), '${member.member_id}', 'identity_queries', false, '1.0', now())`,
    );
    const { status, body } = await query({ payment });
    expect([status, body.code]).toEqual([403, 'consent_withdrawn']);
    expect(await readBooks(app)).toMatchObject({
      reads: 0,
      claims: 1,
      refused: 1,
      journals: 0,
      refunds: 1,
      unbalanced: 0,
      income: 0,
    });
    const owed = await app.sql.one(sql<object>`
      select account, amount from ledger_postings where account = 'owed_to_payers' and holder_id = ${org.org_id} and amount < 0`);
    expect(owed).toEqual({ account: 'owed_to_payers', amount: -500_000 });
    expect((await query({ payment })).body.code).not.toBe('payment_already_used');
    expect(await readBooks(app)).toMatchObject({ reads: 0, claims: 1 });
  });

  test('withdrawn while a read is being recorded waits for it, and refuses the next one', async () => {
    const [read, withdrawal] = await Promise.all([
      query({ payment: createPayment() }),
      decideConsent(app, member, 'identity_queries', false),
    ]);
    expect(withdrawal.status).toBe(201);
    const { reads, refused, claims } = await readBooks(app);
    expect(reads + refused).toBe(claims);
    expect(read.status === 200).toBe(reads === 1);
    expect((await query({ payment: createPayment() })).body.code).toBe('consent_required');
  });

  test('withdrawn for one category leaves the others', async () => {
    await approveCategory(app, member, 'trait_profile', false);
    expect((await query({ data_type: 'archetype' })).status).toBe(200);
    expect((await query()).body.code).toBe('category_not_approved');
  });
});

describe('a payment that was settled by a process that was then lost', () => {
  const settle = async () => {
    const payment = createPayment();
    await spendAllowance(app, org);
    await settleWithoutRead(app, {
      org,
      member_id: member.member_id,
      known_as: alias,
      payment,
      price: 500_000n,
    });
    expect(await readBooks(app)).toMatchObject({ reads: 0, claims: 1, recorded: 0, journals: 0 });
    return payment;
  };

  test('is finished when the same payment is sent again', async () => {
    const payment = await settle();
    expect((await query({ payment })).status).toBe(200);
    expect(await readBooks(app)).toMatchObject({ reads: 1, claims: 1, recorded: 1, journals: 1 });
  });

  test('is finished by the task, and the same payment sent again gets the stored result', async () => {
    const payment = await settle();
    app.clock.advance(121_000);
    await runFinishing(app);
    const books = await readBooks(app);
    expect(books).toMatchObject({ reads: 1, claims: 1, recorded: 1, journals: 1, income: 375_000 });
    const { status, body } = await query({ payment });
    expect([status, body.query_metadata.payment_type]).toEqual([200, 'x402']);
    await runFinishing(app);
    expect(await readBooks(app)).toEqual(books);
  });

  test('is refunded by the task if the member can no longer be read', async () => {
    await settle();
    await decideConsent(app, member, 'identity_queries', false);
    app.clock.advance(121_000);
    await runFinishing(app);
    expect(await readBooks(app)).toMatchObject({
      reads: 0,
      claims: 1,
      refused: 1,
      journals: 0,
      refunds: 1,
      unbalanced: 0,
      income: 0,
    });
  });

  test('that cannot be finished delays no other', async () => {
    await settle();
    const other = await registerReadable(app);
    const [known_as] = (await findAliases(app, org, [other])) as [string];
    await settleWithoutRead(app, {
      org,
      member_id: other.member_id,
      known_as,
      payment: createPayment(),
      price: 500_000n,
    });
    // The read of the first payment, which is the oldest, fails.
    await refuseReads(app, member.member_id);
    app.clock.advance(121_000);
    await expect(runTask(app, finishReads, {})).rejects.toThrow('could not be finished');
    expect(await readBooks(app)).toMatchObject({ reads: 1, claims: 2, recorded: 1, journals: 1 });
    await acceptReads(app);
    await runTask(app, finishReads, {});
    expect(await readBooks(app)).toMatchObject({ reads: 2, recorded: 2, journals: 2, unbalanced: 0 });
  });

  test('is left to its request for two minutes', async () => {
    await settle();
    await runFinishing(app);
    expect(await readBooks(app)).toMatchObject({ reads: 0, recorded: 0, refused: 0 });
  });
});

test('a read of one’s own idempotency key is made once', async () => {
  const send = () =>
    app.request('POST', '/orgs/queries/credential', {
      token: org.token,
      body: { member_id: alias, data_type: 'archetype' },
      headers: { 'idempotency-key': 'one' },
    });
  const [first, second] = [await send(), await send()];
  expect(second.body).toEqual(first.body);
  expect(second.headers['idempotent-replayed']).toBe('true');
  expect(await readBooks(app)).toMatchObject({ reads: 1 });
});

async function runFinishing(to: TestApp): Promise<void> {
  await to.platform.database.transaction((tx) => to.platform.queue.send(tx, finishReads, {}));
  await to.drainQueue();
}
