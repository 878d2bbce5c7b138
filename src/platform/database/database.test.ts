import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { cleanUpAfterFile } from '#test/clean-up.ts';
import { cloneDatabase } from '#test/harness.ts';
import {
  findBrokenConstraint,
  isUnavailable,
  openDatabase,
  sql,
  type Database,
  type Transaction,
} from './database.ts';

let settings: pg.PoolConfig;
let database: Database;
const lossErrors: Error[] = [];

beforeAll(async () => {
  settings = await cloneDatabase();
  database = openDatabase(settings, (error) => lossErrors.push(error));
  await database.run(
    sql`create table counters (id integer primary key, value integer not null check (value < 1000))`,
  );
  await database.run(sql`insert into counters select id, 0 from generate_series(1, 9) as id`);
});
afterAll(() => database.close());

const readValue = async (id: number) =>
  (await database.one(sql<{ value: number }>`select value from counters where id = ${id}`)).value;
const increment = (tx: Transaction, id: number) =>
  tx.run(sql`update counters set value = value + 1 where id = ${id}`);

/** Terminates every other connection to this database, as a restart of the server does. */
async function killConnections(): Promise<void> {
  const client = new pg.Client(settings);
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}

async function catchRefusal(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof Refusal)) throw new Error('the work was not refused', { cause: error });
  return error;
}

test('a transaction that returns is committed, and one that throws is rolled back', async () => {
  await database.transaction((tx) => increment(tx, 1));
  expect(await readValue(1)).toBe(1);
  const failed = database.transaction(async (tx) => {
    await increment(tx, 1);
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  expect(await readValue(1)).toBe(1);
});

test('an effect after the commit runs once, when other connections see the rows, and never after a rollback', async () => {
  const seen: number[] = [];
  const before = await readValue(5);
  await database.transaction(async (tx) => {
    await increment(tx, 5);
    tx.afterCommit(() => seen.push(before + 1));
    expect(seen).toEqual([]);
  });
  expect(seen).toEqual([await readValue(5)]);
  const failing = database.transaction(async (tx) => {
    tx.afterCommit(() => seen.push(-1));
    await tx.run(sql`update counters set value = 5000 where id = 5`);
  });
  await expect(failing).rejects.toThrow('check');
  let attempts = 0;
  await database.transaction(async (tx) => {
    tx.afterCommit(() => seen.push(-2));
    if (++attempts === 1) throw Object.assign(new Error('try again'), { code: '40001' });
  });
  expect(seen).toEqual([before + 1, -2]);
});

test('a transaction that ignores the error of a statement fails instead of being committed', async () => {
  const swallowed = database.transaction(async (tx) => {
    await increment(tx, 1);
    await tx.run(sql`insert into counters values (${1}, ${0})`).catch(() => undefined);
    return 'done';
  });
  await expect(swallowed).rejects.toThrow(/could not be committed/);
  expect(await readValue(1)).toBe(1);
});

test('statements sent ahead run in order before the later ones, and the commit waits for them', async () => {
  const before = await readValue(6);
  const seen = await database.transaction(async (tx) => {
    void tx.runAhead(sql`update counters set value = value + 1 where id = ${6}`);
    void tx.runAhead(sql`update counters set value = value * 2 where id = ${6}`);
    const { value } = await tx.one(sql<{ value: number }>`select value from counters where id = ${6}`);
    void tx.runAhead(sql`update counters set value = value + 100 from pg_sleep(0.05) where id = ${6}`);
    return value;
  });
  expect(seen).toBe((before + 1) * 2);
  expect(await readValue(6)).toBe(seen + 100);
});

test('of statements that were sent at once, the error of the first that failed is thrown, even if it is noticed last', async () => {
  const notice = async (sent: Promise<unknown>) => {
    try {
      await sent;
    } catch (error) {
      for (let turn = 0; turn < 50; turn++) await Promise.resolve();
      throw error;
    }
  };
  const sending = database.transaction((tx) =>
    Promise.all([
      notice(tx.run(sql`select 1 / 0`)),
      tx.run(sql`update counters set value = value + 1 where id = ${7}`),
    ]),
  );
  await expect(sending).rejects.toThrow('division by zero');
});

test('the failure of a statement sent ahead fails its transaction with its own error, whatever comes after it', async () => {
  // One connection, so that the statements after the failure are prepared on the connection that is used again.
  const single = openDatabase({ ...settings, max: 1 }, () => undefined);
  const effects: string[] = [];
  const endings: readonly ((tx: Transaction) => Promise<unknown>)[] = [
    async () => undefined,
    async (tx) => tx.runAhead(sql`update counters set value = value + 1 where id = ${7}`),
    async (tx) => tx.list(sql`select value + 0 from counters where id = ${7}`),
  ];
  for (const end of endings) {
    const failed = single.transaction(async (tx) => {
      tx.afterCommit(() => effects.push('committed'));
      void tx.runAhead(sql`update counters set value = value + 1 where id = ${7}`);
      void tx.runAhead(sql`update counters set value = 5000 where id = ${7}`);
      await end(tx);
    });
    const error = await failed.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(findBrokenConstraint(error)).toBe('counters_value_check');
  }
  expect([effects, await readValue(7)]).toEqual([[], 0]);
  await single.transaction(async (tx) => {
    void tx.runAhead(sql`update counters set value = value + 1 where id = ${7}`);
    await tx.list(sql`select value + 0 from counters where id = ${7}`);
  });
  expect(await readValue(7)).toBe(1);
  await single.close();
});

test('if a transaction cannot begin, none of its statements takes effect, a select that calls a writing function included', async () => {
  await database.run(sql`
    create function increment_counter(counter integer) returns void language sql
    as 'update counters set value = value + 1 where id = counter'`);
  const call = sql`select increment_counter(${9})`;
  const isolation = 'unknown' as 'serializable';
  const before = await readValue(9);
  const write = sql`update counters set value = value + 1 where id = ${9}`;
  const works: readonly ((tx: Transaction) => Promise<unknown>)[] = [
    (tx) => tx.run(write),
    async (tx) => tx.runAhead(write),
    (tx) => Promise.all([tx.list(sql`select value from counters where id = ${9}`), tx.run(write)]),
    (tx) => tx.run(call),
    (tx) => tx.find(call),
    async (tx) => tx.runAhead(call),
    async () => undefined,
  ];
  for (const work of works)
    await expect(database.transaction(work, { isolation })).rejects.toMatchObject({ code: '42601' });
  expect(await readValue(9)).toBe(before);
});

test('a statement after the end of its transaction is an error, instead of being committed by itself', async () => {
  const before = await readValue(9);
  const write = sql`update counters set value = value + 1 where id = ${9}`;
  let late: Transaction | undefined;
  await database.transaction(async (tx) => void (late = tx));
  await expect(late!.run(write)).rejects.toThrow('after the end');
  const failed = database.transaction((tx) => {
    late = tx;
    return Promise.reject(new Error('failed'));
  });
  await expect(failed).rejects.toThrow('failed');
  await expect(late!.run(write)).rejects.toThrow('after the end');
  expect(await readValue(9)).toBe(before);
});

test('a transaction whose statement sent ahead could not be serialised is tried again', async () => {
  let attempts = 0;
  const before = await readValue(8);
  await database.transaction(
    async (tx) => {
      attempts++;
      await tx.list(sql`select value from counters where id = ${8}`);
      if (attempts === 1) await database.transaction((other) => increment(other, 8));
      void tx.runAhead(sql`update counters set value = value + 1 where id = ${8}`);
    },
    { isolation: 'repeatable read' },
  );
  expect([attempts, await readValue(8)]).toEqual([2, before + 2]);
});

test('of two conflicting serializable transactions the second is tried again, and both take effect', async () => {
  let attempts = 0;
  let arrived = 0;
  let release: () => void;
  const bothHaveRead = new Promise<void>((resolve) => (release = resolve));
  const readAndIncrement = () =>
    database.transaction(
      async (tx) => {
        attempts++;
        const { value } = await tx.one(sql<{ value: number }>`select value from counters where id = ${2}`);
        if (++arrived === 2) release();
        await bothHaveRead;
        await tx.run(sql`update counters set value = ${value + 1} where id = ${2}`);
      },
      { isolation: 'serializable' },
    );
  await Promise.all([readAndIncrement(), readAndIncrement()]);
  expect(await readValue(2)).toBe(2);
  expect(attempts).toBe(3);
});

test('a transaction that always fails to serialise is given up after five attempts', async () => {
  let attempts = 0;
  const doomed = database.transaction(async (tx) => {
    attempts++;
    await tx.run(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
  });
  await expect(doomed).rejects.toMatchObject({ code: '40001' });
  expect(attempts).toBe(5);
});

test('a plan that a migration made stale causes another attempt, not an error', async () => {
  await database.run(sql`create table expanding (id integer)`);
  const read = () => database.transaction((tx) => tx.list(sql`select * from expanding`));
  await read();
  await database.run(sql`alter table expanding add column added integer`);
  expect(await Promise.all([read(), read(), read()])).toEqual([[], [], []]);
});

test('a connection that is lost during a transaction gives 503 with Retry-After, and the pool recovers', async () => {
  const failed = await catchRefusal(
    database.transaction(async (tx) => {
      await increment(tx, 3);
      await killConnections();
      await increment(tx, 3);
    }),
  );
  expect(failed).toMatchObject({
    code: 'database_unavailable',
    status: 503,
    extras: { headers: { 'retry-after': '2' } },
  });
  // Another idle connection was lost too: its next user gets 503 once, unless the pool has noticed by then.
  await expect.poll(() => readValue(3).catch(() => undefined)).toBe(0);
});

test('a lost connection is also reported to code that uses the client directly', async () => {
  const failed = database.transaction(async (tx) => {
    await killConnections();
    await tx.client.query('select 1');
  });
  expect((await catchRefusal(failed)).code).toBe('database_unavailable');
});

test('reports and replaces idle connections that are lost', async () => {
  await Promise.all([readValue(1), readValue(1)]);
  const before = lossErrors.length;
  await killConnections();
  await expect.poll(() => lossErrors.length).toBeGreaterThan(before);
  // Another connection may not have noticed the loss yet, and then its next statement fails once.
  await expect.poll(() => readValue(1).catch(() => undefined)).toBe(1);
});

test('an unavailable server gives 503, for a statement and for a transaction', async () => {
  const nowhere = openDatabase({ ...settings, host: '127.0.0.1', port: 1 }, () => undefined);
  expect((await catchRefusal(nowhere.find(sql`select 1`))).code).toBe('database_unavailable');
  expect((await catchRefusal(nowhere.transaction(async () => 1))).code).toBe('database_unavailable');
  await nowhere.close();
});

test('a missing socket means that the server is unavailable, and any other missing file does not', async () => {
  const [absent] = (await once(connect('/nowhere/.s.PGSQL.5432'), 'error').catch((error: unknown) => [
    error,
  ])) as [unknown];
  expect([absent, isUnavailable(absent)]).toMatchObject([{ code: 'ENOENT' }, true]);
  const missing: unknown = await readFile('/nowhere/mail.eml').catch((error: unknown) => error);
  expect([missing, isUnavailable(missing)]).toMatchObject([{ code: 'ENOENT' }, false]);
});

test('a server that became read-only gives 503 with Retry-After, and its connections are replaced', async () => {
  const settings = await cloneDatabase();
  const owner = openDatabase(settings, () => undefined);
  const demoted = openDatabase(settings, () => undefined);
  cleanUpAfterFile(() => Promise.all([owner.close(), demoted.close()]));
  await owner.run(sql`create table notes (id integer)`);
  const write = sql`insert into notes values (1)`;
  await demoted.run(sql`set default_transaction_read_only = on`);
  const refusal = { code: 'database_unavailable', extras: { headers: { 'retry-after': '2' } } };
  await expect(demoted.transaction((tx) => tx.run(write))).rejects.toMatchObject(refusal);
  expect(await demoted.transaction((tx) => tx.run(write))).toBe(1);
  await demoted.run(sql`set default_transaction_read_only = on`);
  await expect(demoted.run(write)).rejects.toMatchObject(refusal);
  expect(await demoted.run(write)).toBe(1);
});

test('a server that becomes read-only is reported once, and again when it accepts writes', async () => {
  const settings = await cloneDatabase();
  const states: string[] = [];
  const followed = openDatabase(
    settings,
    () => undefined,
    (state) => void states.push(state),
  );
  const owner = new pg.Client(settings);
  await owner.connect();
  cleanUpAfterFile(() => Promise.all([owner.end(), followed.close()]));
  await owner.query('create table notes (id integer)');
  await owner.query(`alter database ${settings.database} set default_transaction_read_only = on`);
  const write = sql`insert into notes values (1)`;
  for (let attempt = 0; attempt < 3; attempt++)
    await expect(followed.run(write)).rejects.toMatchObject({ code: 'database_unavailable' });
  await expect.poll(() => states).toEqual(['read_only']);
  expect(followed.getLastState()).toBe('read_only');
  await owner.query(`alter database ${settings.database} reset default_transaction_read_only`);
  await expect.poll(() => states).toEqual(['read_only', 'up']);
  expect(await followed.run(write)).toBe(1);
});

test('a statement that gets no connection in time fails with 503', async () => {
  const narrow = openDatabase({ ...settings, max: 1, connectionTimeoutMillis: 100 }, () => undefined);
  const held = Promise.withResolvers<void>();
  const holder = narrow.transaction(() => held.promise);
  await expect.poll(() => narrow.countConnections()).toEqual({ total: 1, idle: 0, waiting: 0 });
  expect((await catchRefusal(narrow.find(sql`select 1`))).code).toBe('database_unavailable');
  expect(narrow.countConnections()).toEqual({ total: 1, idle: 0, waiting: 0 });
  held.resolve();
  await holder;
  expect(await narrow.find(sql`select 1 as one`)).toEqual({ one: 1 });
  await narrow.close();
});

test('a statement and a wait for a lock end in time with 503', async () => {
  const hasty = openDatabase({ ...settings, statement_timeout: 150, lock_timeout: 50 }, () => undefined);
  expect((await catchRefusal(hasty.run(sql`select pg_sleep(5)`))).code).toBe('overloaded');
  await database.transaction(async (tx) => {
    await increment(tx, 4);
    expect((await catchRefusal(hasty.transaction((other) => increment(other, 4)))).code).toBe('overloaded');
  });
  expect(await readValue(4)).toBe(1);
  await hasty.close();
});

test('what the service does for itself waits as long as it must, until the database has the limits of requests', async () => {
  const hasty = { ...settings, statement_timeout: 150, query_timeout: 250, lock_timeout: 50 };
  const own = openDatabase(hasty, () => undefined, undefined, true);
  const before = await readValue(6);
  const held = Promise.withResolvers<void>();
  const holder = database.transaction(async (tx) => {
    await increment(tx, 6);
    await held.promise;
  });
  const waiting = own.transaction((tx) => increment(tx, 6));
  await own.run(sql`select pg_sleep(0.5)`);
  own.limitTime();
  expect((await catchRefusal(own.run(sql`select pg_sleep(5)`))).code).toBe('overloaded');
  expect((await catchRefusal(own.transaction((tx) => increment(tx, 6)))).code).toBe('overloaded');
  held.resolve();
  await Promise.all([holder, waiting]);
  expect(await readValue(6)).toBe(before + 2);
  await own.close();
});

test('a violated constraint is found by its name, and another error has none', async () => {
  const insert = (id: number, value: number) =>
    database
      .run(sql`insert into counters values (${id}, ${value})`)
      .then(() => undefined, findBrokenConstraint);
  expect(await insert(1, 0)).toBe('counters_pkey');
  expect(await insert(99, 1000)).toBe('counters_value_check');
  expect(findBrokenConstraint({ code: '23505', constraint: 'counters_pkey_102009' })).toBe('counters_pkey');
  const nonsense = await database.run(sql`select * from nowhere`).then(() => 'fine', findBrokenConstraint);
  expect(nonsense).toBeUndefined();
});

test('64-bit integers are numbers, and one beyond 2^53 is an error', async () => {
  expect(await database.one(sql`select 9007199254740991::bigint as most`)).toEqual({
    most: Number.MAX_SAFE_INTEGER,
  });
  await expect(database.one(sql`select 9007199254740992::bigint as more`)).rejects.toThrow(/beyond 2\^53/);
});

test('`one` requires exactly one row', async () => {
  await expect(database.one(sql`select * from counters where id = ${77}`)).rejects.toThrow(
    'expected one row, got 0',
  );
  await expect(database.one(sql`select * from counters`)).rejects.toThrow('expected one row, got 9');
  expect(await database.find(sql`select * from counters where id = ${77}`)).toBeUndefined();
});

test('a full disk gives 503 with Retry-After, and storage is back as soon as the server can write', async () => {
  const full = openDatabase(await cloneDatabase(), () => undefined);
  // The trigger stands for the disk: the server refuses to create tables as it does without space (SQLSTATE 53100).
  await full.run(sql`
    create function refuse_writing() returns event_trigger language plpgsql
    as $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  await full.run(sql`create event trigger full_disk on ddl_command_start execute function refuse_writing()`);
  expect(await full.hasStorage()).toBe(true);
  const write = sql`create table written as select 1 as n`;
  for (const attempt of [() => full.run(write), () => full.transaction((tx) => tx.run(write))]) {
    const refusal = await catchRefusal(attempt());
    expect([refusal.code, refusal.extras.headers]).toEqual(['database_unavailable', { 'retry-after': '30' }]);
  }
  expect(await full.hasStorage()).toBe(false);
  expect(await full.hasStorage()).toBe(false);
  await full.run(sql`drop event trigger full_disk`);
  expect(await full.hasStorage()).toBe(true);
  await full.run(write);
  await full.close();
});
