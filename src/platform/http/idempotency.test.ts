import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation, reply } from '#platform/operation.ts';
import { deleteOldReplies } from '#platform/http/idempotency.ts';
import { row } from '#platform/http/row.ts';
import { openTestServer, type TestServer } from '#test/test-server.ts';

let crash: 'before' | 'after' | 'wrong' | undefined;
let wait_ms = 0;

const input = Type.Object(
  { amount: Type.Integer(), secret: Type.Optional(Type.String()) },
  { additionalProperties: false },
);
const paid = Type.Object(
  { payment_id: Type.Integer(), amount: Type.Integer() },
  { additionalProperties: false },
);

const pay = operation({
  name: 'test.pay',
  summary: 'Pays.',
  who: ['member'],
  input,
  output: { 201: paid, 204: null },
  refuses: [],
  idempotent: true,
  run: async ({ transaction }, { amount }) => {
    const answer = await transaction(async (tx) => {
      const payment = await tx.one(sql<{ payment_id: number; amount: number }>`
        insert into payments (amount) values (${amount}) returning payment_id, amount`);
      await pause(wait_ms);
      if (crash === 'before') throw new Error('crashed before the commit');
      if (amount < 0) throw new Refusal('field_invalid');
      if (amount === 0) return reply(204, null);
      return reply(201, payment, [{ name: 'receipt', value: 'r1', max_age_s: 60, path: '/' }]);
    });
    if (crash === 'after') throw new Error('crashed after the commit');
    return crash === 'wrong' ? { ...answer } : answer;
  },
});

let testServer: TestServer;
beforeAll(async () => {
  const { summary, who, input: fields, output, refuses } = pay;
  const twice = operation({
    name: 'test.payTwice',
    summary,
    who,
    input: fields,
    output,
    refuses,
    run: pay.run as never,
  });
  testServer = await openTestServer([
    row('POST', '/payments', 'jwt', pay),
    row('POST', '/other', 'jwt', pay),
    row('POST', '/twice', 'jwt', twice),
  ]);
  await testServer.database.run(
    sql`create table payments (payment_id integer generated always as identity, amount integer not null)`,
  );
});
beforeEach(async () => {
  crash = undefined;
  wait_ms = 0;
  await testServer.database.run(sql`delete from payments`);
});

type Options = { readonly key?: string; readonly who?: string; readonly path?: string };

async function send(body: object, { key = 'key-1', who = 'ada', path = '/payments' }: Options = {}) {
  const response = await testServer.server.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${who}`, 'idempotency-key': key },
    payload: body,
  });
  const { statusCode: status, headers, payload } = response;
  return { status, headers, body: payload === '' ? undefined : response.json<Record<string, unknown>>() };
}

const payments = async () => (await testServer.database.list(sql`select * from payments`)).length;

test('a request that is repeated takes effect once, and is answered the same, cookies too, and says that it was', async () => {
  const first = await send({ amount: 5 }, { key: 'repeat' });
  const second = await send({ amount: 5 }, { key: 'repeat' });
  expect(first.status).toBe(201);
  expect([second.status, second.body]).toEqual([first.status, first.body]);
  expect(second.headers['set-cookie']).toEqual(first.headers['set-cookie']);
  expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([
    undefined,
    'true',
  ]);
  expect(await payments()).toBe(1);
});

test('an answer without a body is replayed as well', async () => {
  expect((await send({ amount: 0 }, { key: 'empty' })).status).toBe(204);
  expect(await send({ amount: 0 }, { key: 'empty' })).toMatchObject({
    status: 204,
    headers: { 'idempotent-replayed': 'true' },
  });
  expect(await payments()).toBe(1);
});

test('the same key with another body, or at another path, is refused and does nothing', async () => {
  await send({ amount: 5 }, { key: 'reused' });
  expect(await send({ amount: 6 }, { key: 'reused' })).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  });
  expect(await send({ amount: 5 }, { key: 'reused', path: '/other' })).toMatchObject({ status: 422 });
  expect(await payments()).toBe(1);
});

test('the same key of another caller is another key', async () => {
  await send({ amount: 5 }, { key: 'shared' });
  expect(await send({ amount: 6 }, { key: 'shared', who: 'bob' })).toMatchObject({
    status: 201,
    body: { amount: 6 },
  });
  expect(await payments()).toBe(2);
});

test('of twenty that come at once one takes effect, and all are answered the same', async () => {
  wait_ms = 50;
  const answers = await Promise.all(Array.from({ length: 20 }, () => send({ amount: 5 }, { key: 'race' })));
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(await payments()).toBe(1);
});

test('of two that come at once with different bodies one is refused', async () => {
  wait_ms = 50;
  const answers = await Promise.all([
    send({ amount: 5 }, { key: 'clash' }),
    send({ amount: 6 }, { key: 'clash' }),
  ]);
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '422']);
  expect(await payments()).toBe(1);
});

test('a refusal is not kept: the same key may be tried again', async () => {
  expect((await send({ amount: -1 }, { key: 'again' })).status).toBe(422);
  expect(await payments()).toBe(0);
  expect((await send({ amount: 1 }, { key: 'again' })).status).toBe(201);
});

test('a crash before the commit leaves nothing, and the retry takes effect', async () => {
  crash = 'before';
  expect((await send({ amount: 5 }, { key: 'crash-1' })).status).toBe(500);
  crash = undefined;
  expect((await send({ amount: 5 }, { key: 'crash-1' })).status).toBe(201);
  expect(await payments()).toBe(1);
});

test('a crash after the commit keeps the answer, and the retry gets it without taking effect again', async () => {
  crash = 'after';
  expect((await send({ amount: 5 }, { key: 'crash-2' })).status).toBe(500);
  crash = undefined;
  expect(await send({ amount: 5 }, { key: 'crash-2' })).toMatchObject({
    status: 201,
    body: { amount: 5 },
    headers: { 'idempotent-replayed': 'true' },
  });
  expect(await payments()).toBe(1);
});

test('an operation that answers something else than it stored is a defect that nobody gets', async () => {
  crash = 'wrong';
  expect((await send({ amount: 5 }, { key: 'wrong' })).status).toBe(500);
});

test('what is stored is unreadable without the master key: neither key, request nor answer', async () => {
  await send({ amount: 424242, secret: 'hunter2-in-the-request' }, { key: 'a-key-to-look-for' });
  const rows = await testServer.database.list(
    sql<Record<string, Buffer | Date>>`select * from idempotency_keys`,
  );
  const text = rows
    .flatMap((row) => Object.values(row).map((value) => value.toString('latin1' as never)))
    .join();
  expect(text).not.toMatch(/a-key-to-look-for|hunter2|payment_id|424242|receipt/);
});

test.each(['', 'a b', 'é', 'x'.repeat(256), 'tab\there'])('a key that is no key is 400: %j', async (key) => {
  expect(await send({ amount: 5 }, { key })).toMatchObject({
    status: 400,
    body: { code: 'idempotency_key_malformed' },
  });
  expect(await payments()).toBe(0);
});

test('an operation that takes no keys ignores them', async () => {
  await send({ amount: 5 }, { key: 'ignored', path: '/twice' });
  await send({ amount: 5 }, { key: 'ignored', path: '/twice' });
  expect(await payments()).toBe(2);
});

test('an answer is kept for a day', async () => {
  await send({ amount: 5 }, { key: 'old' });
  testServer.clock.advance(24 * 3_600_000);
  await deleteOldReplies(testServer.platform);
  expect((await send({ amount: 5 }, { key: 'old' })).headers['idempotent-replayed']).toBe('true');
  testServer.clock.advance(1);
  await deleteOldReplies(testServer.platform);
  expect((await send({ amount: 5 }, { key: 'old' })).headers['idempotent-replayed']).toBeUndefined();
});
