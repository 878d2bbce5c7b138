import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { sendToParent, waitForMessages } from './parent.ts';
import { getPort } from './ports.ts';

/** The parent's first message: the database, and the reply of every read. */
export type BareReadsSetup = { readonly settings: pg.PoolConfig; readonly reply: string };

type Ids = Readonly<Record<'user_id' | 'org_id' | 'member_id', string>>;
type Run = (name: string, text: string, values: unknown[]) => Promise<unknown>;

const price_micros = 500_000;
const share_micros = 375_000;

/** Writes the rows of a paid read on the mock rail, each with one named statement. It reads, checks and locks nothing. */
async function writeRead(run: Run, { user_id, org_id, member_id }: Ids, result: string): Promise<void> {
  const [payment_id, read_id, journal_id, now] = [randomUUID(), randomUUID(), randomUUID(), new Date()];
  await run(
    'claim',
    `insert into payments (id, state, rail, protocol_version, org_id, user_id, member_id, data_type, price_micros, amount_micros,
       result, created_at, attempted_at, settled_at)
     values ($1, 'recorded', 'mock', 'mock', $2, $3, $4, 'trait_profile', $5, $5, $6, $7, $7, $7)`,
    [payment_id, org_id, user_id, member_id, price_micros, result, now],
  );
  await run('key', 'insert into payment_keys (key, payment_id, created_at) values ($1, $2, $3)', [
    `mock:${payment_id}`,
    payment_id,
    now,
  ]);
  await run(
    'count',
    `insert into read_counts as kept (org_id, day, read_count) values ($1, $2, 1)
     on conflict (org_id, day) do update set read_count = kept.read_count + 1`,
    [org_id, now.toISOString().slice(0, 10)],
  );
  await run(
    'journal',
    `insert into ledger_journals (holder_id, id, kind, idempotency_key, body_hash, org_id, read_id, payment_id, rail, share_bps, posted_at)
     values ($1, $2, 'read', $3, $4, $5, $6, $7, 'mock', 7500, $8)`,
    [member_id, journal_id, `claim:${payment_id}`, Buffer.alloc(32), org_id, read_id, payment_id, now],
  );
  await run(
    'postings',
    `insert into ledger_postings (holder_id, journal_id, account, amount, available_at)
     values ($1, $2, 'member_income', $3, $4), ($1, $2, 'platform_income', $5, null), ($1, $2, 'cash_mock', $6, null)`,
    [member_id, journal_id, -share_micros, now, share_micros - price_micros, price_micros],
  );
  await run(
    'read',
    `insert into reads (member_id, id, org_id, user_id, data_type, payment_type, gross_micros, member_micros, share_bps, multiplier_bps,
       payment_id, protocol_version, journal_id, created_at)
     values ($1, $2, $3, $4, 'trait_profile', 'mock', $5, $6, 7500, 20000, $7, 'mock', $8, $9)`,
    [member_id, read_id, org_id, user_id, price_micros, share_micros, payment_id, journal_id, now],
  );
  await run('event', 'insert into events (id, type, data, created_at) values ($1, $2, $3, $4)', [
    randomUUID(),
    'reads.readRecorded',
    JSON.stringify({ read_id, member_id, org_id, data_type: 'trait_profile', gross_micros: price_micros }),
    now,
  ]);
  await run(
    'audit',
    `insert into audit_log (id, action, actor_user_id, actor_role, member_id, org_id, detail, created_at)
     values ($1, 'queries.recorded', $2, 'org_admin', $3, $4, $5, $6)`,
    [
      randomUUID(),
      user_id,
      member_id,
      org_id,
      JSON.stringify({ data_type: 'trait_profile', payment_type: 'mock' }),
      now,
    ],
  );
}

/** The simplest server that writes these rows: node:http, pg and one transaction. The path has the ids. */
process.once('message', ({ settings, reply }: BareReadsSetup) => {
  const pool = new pg.Pool({ ...settings, max: 10 });
  const write = async (ids: Ids) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await writeRead((name, text, values) => client.query({ name, text, values }), ids, reply);
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  const server = createServer((request, response) => {
    const [, user_id = '', org_id = '', member_id = ''] = request.url!.split('/');
    request.resume().once('end', () => {
      void write({ user_id, org_id, member_id }).then(
        () =>
          response
            .writeHead(200, {
              'content-type': 'application/json; charset=utf-8',
              'content-length': Buffer.byteLength(reply),
            })
            .end(reply),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', () => sendToParent(getPort(server)));
});
waitForMessages();
