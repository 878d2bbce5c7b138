import { setTimeout as pause } from 'node:timers/promises';
import { Type, type Static } from 'typebox';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { sql } from '#platform/database/database.ts';
import { deleteOldReplies } from '#platform/http/idempotency.ts';
import { row } from '#platform/http/row.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { openTestServer, type TestServer } from '#test/test-server.ts';

let crash: 'before' | 'after' | 'wrong' | undefined;
let wait_ms = 0;

const input = closedObject({ amount: Type.Integer(), secret: Type.Optional(Type.String()) });
const payment = closedObject({ payment_id: Type.Integer(), amount: Type.Integer() });

const definition = {
  name: 'test.pay',
  summary: 'Pays.',
  who: ['member'],
  input,
  output: { 201: payment, 204: null },
  cookies: { sets: ['receipt'] },
  refuses: [],
  run: async ({ transaction }: Context<'member'>, { amount }: Static<typeof input>) => {
    const result = await transaction(async (tx) => {
      const paid = await tx.one(sql<{ payment_id: number; amount: number }>`
        insert into sample_payments (amount) values (${amount}) returning payment_id, amount`);
      await pause(wait_ms);
      if (crash === 'before') throw new Error('crashed before the commit');
      if (amount < 0) throw new Refusal('field_invalid');
      if (amount === 0) return reply(204, null);
      return reply(201, paid, [{ name: 'receipt', value: 'r1', max_age_s: 60, path: '/' }]);
    });
    if (crash === 'after') throw new Error('crashed after the commit');
    return crash === 'wrong' ? { ...result } : result;
  },
} as const;

const pay = operation({ ...definition, idempotent: true });
const payTwice = operation({ ...definition, name: 'test.payTwice' });

let testServer: TestServer;
beforeAll(async () => {
  testServer = await openTestServer([
    row('POST', '/sample_payments', 'jwt', pay),
    row('POST', '/other', 'jwt', pay),
    row('POST', '/twice', 'jwt', payTwice),
  ]);
  await testServer.database.run(
    sql`create table sample_payments (payment_id integer generated always as identity, amount integer not null)`,
  );
});
beforeEach(async () => {
  crash = undefined;
  wait_ms = 0;
  await testServer.database.run(sql`delete from sample_payments`);
});

type Options = { readonly key?: string | null; readonly who?: string; readonly path?: string };

async function send(body: object, { key = 'key-1', who = 'ada', path = '/sample_payments' }: Options = {}) {
  const response = await testServer.server.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${who}`, ...(key !== null && { 'idempotency-key': key }) },
    payload: body,
  });
  const { statusCode: status, headers, payload } = response;
  return { status, headers, body: payload === '' ? undefined : response.json<Record<string, unknown>>() };
}

const countPayments = async () => (await testServer.database.list(sql`select * from sample_payments`)).length;

test('a repeated request takes effect once and gets the same reply, cookies included, marked as replayed', async () => {
  const first = await send({ amount: 5 }, { key: 'repeat' });
  const second = await send({ amount: 5 }, { key: 'repeat' });
  expect(first.status).toBe(201);
  expect([second.status, second.body]).toEqual([first.status, first.body]);
  expect(second.headers['set-cookie']).toEqual(first.headers['set-cookie']);
  expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([
    undefined,
    'true',
  ]);
  expect(await countPayments()).toBe(1);
});

test('replays a reply without a body', async () => {
  expect((await send({ amount: 0 }, { key: 'empty' })).status).toBe(204);
  expect(await send({ amount: 0 }, { key: 'empty' })).toMatchObject({
    status: 204,
    headers: { 'idempotent-replayed': 'true' },
  });
  expect(await countPayments()).toBe(1);
});

test('refuses the same key with another body or at another path', async () => {
  await send({ amount: 5 }, { key: 'reused' });
  expect(await send({ amount: 6 }, { key: 'reused' })).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  });
  expect(await send({ amount: 5 }, { key: 'reused', path: '/other' })).toMatchObject({ status: 422 });
  expect(await countPayments()).toBe(1);
});

test('separates the keys of different callers', async () => {
  await send({ amount: 5 }, { key: 'shared' });
  expect(await send({ amount: 6 }, { key: 'shared', who: 'bob' })).toMatchObject({
    status: 201,
    body: { amount: 6 },
  });
  expect(await countPayments()).toBe(2);
});

test('of twenty simultaneous requests one takes effect, and all get the same reply', async () => {
  wait_ms = 50;
  const replies = await Promise.all(Array.from({ length: 20 }, () => send({ amount: 5 }, { key: 'race' })));
  expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  expect(replies[0]).toMatchObject({ status: 201 });
  expect(await countPayments()).toBe(1);
});

test('of two simultaneous requests with different bodies one is refused', async () => {
  wait_ms = 50;
  const replies = await Promise.all([
    send({ amount: 5 }, { key: 'clash' }),
    send({ amount: 6 }, { key: 'clash' }),
  ]);
  expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['201', '422']);
  expect(await countPayments()).toBe(1);
});

test('does not store a refusal, so that the same key may be used again', async () => {
  expect((await send({ amount: -1 }, { key: 'again' })).status).toBe(422);
  expect(await countPayments()).toBe(0);
  expect((await send({ amount: 1 }, { key: 'again' })).status).toBe(201);
});

test('a crash before the commit stores nothing, and the retry takes effect', async () => {
  crash = 'before';
  expect((await send({ amount: 5 }, { key: 'crash-1' })).status).toBe(500);
  crash = undefined;
  expect((await send({ amount: 5 }, { key: 'crash-1' })).status).toBe(201);
  expect(await countPayments()).toBe(1);
});

test('after a crash that follows the commit, the retry gets the stored reply and does not take effect again', async () => {
  crash = 'after';
  expect((await send({ amount: 5 }, { key: 'crash-2' })).status).toBe(500);
  crash = undefined;
  expect(await send({ amount: 5 }, { key: 'crash-2' })).toMatchObject({
    status: 201,
    body: { amount: 5 },
    headers: { 'idempotent-replayed': 'true' },
  });
  expect(await countPayments()).toBe(1);
});

test.each(['wrong', null])(
  'an operation that returns another result than its transaction is a defect, with a key or without: %j',
  async (key) => {
    crash = 'wrong';
    expect((await send({ amount: 5 }, { key })).status).toBe(500);
  },
);

test('stores neither the key, the request nor the reply in readable form', async () => {
  await send({ amount: 424242, secret: 'hunter2-in-the-request' }, { key: 'a-key-to-look-for' });
  const rows = await testServer.database.list(
    sql<Record<string, Buffer | Date>>`select * from idempotency_keys`,
  );
  const text = rows
    .flatMap((row) =>
      Object.values(row).map((value) =>
        Buffer.isBuffer(value) ? value.toString('latin1') : value.toISOString(),
      ),
    )
    .join();
  expect(text).not.toMatch(/a-key-to-look-for|hunter2|payment_id|424242|receipt/);
});

test.each(['', 'a b', 'é', 'x'.repeat(256), 'tab\there'])(
  'refuses an invalid key with status 400: %j',
  async (key) => {
    expect(await send({ amount: 5 }, { key })).toMatchObject({
      status: 400,
      body: { code: 'idempotency_key_malformed' },
    });
    expect(await countPayments()).toBe(0);
  },
);

test('an operation that does not accept keys ignores them', async () => {
  await send({ amount: 5 }, { key: 'ignored', path: '/twice' });
  await send({ amount: 5 }, { key: 'ignored', path: '/twice' });
  expect(await countPayments()).toBe(2);
});

test('stores a reply for a day', async () => {
  await send({ amount: 5 }, { key: 'old' });
  testServer.clock.advance(24 * 3_600_000);
  await deleteOldReplies(testServer.platform, 100);
  expect((await send({ amount: 5 }, { key: 'old' })).headers['idempotent-replayed']).toBe('true');
  testServer.clock.advance(1);
  await deleteOldReplies(testServer.platform, 100);
  expect((await send({ amount: 5 }, { key: 'old' })).headers['idempotent-replayed']).toBeUndefined();
});
