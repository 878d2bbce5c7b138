import pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { placementCreated } from '#modules/matching/matches';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { openQueue } from '#platform/queue/queue.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import { eventTable } from '../../src/tables/events.ts';
import { taskTable } from '../../src/tables/tasks.ts';
import { unknownId } from '../harness.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { findFreePorts, prepareDataDir, runTessera, type TesseraProcess } from './run-tessera.ts';

const [subscriptions, events] = [3, 4];

let service: TesseraProcess | undefined;
afterAll(async () => {
  service?.process.kill('SIGTERM');
  await service?.exited;
});

test('a worker that is killed while it writes the deliveries of events leaves none half written, and after a restart each arrives', async () => {
  const dataDir = await prepareDataDir();
  const environment = {
    TESSERA_DATA_DIR: dataDir,
    TESSERA_RATE_LIMITS: 'off',
    TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true',
    ...(await findFreePorts()),
  };
  const start = async () => {
    service = runTessera(['serve'], environment);
    return (await service.ready).replace('localhost', '127.0.0.1');
  };
  const url = await start();
  const receiver = await startWebhookReceiver();
  const { org_id, secrets } = await subscribe(url, receiver.url);
  receiver.secrets = secrets;

  await runSql(dataDir, sleepingTrigger);
  await emitEvents(dataDir, org_id);
  const isSleeping = async () =>
    (await runSql(dataDir, `select from pg_stat_activity where wait_event = 'PgSleep'`)).length;
  await expect.poll(isSleeping).toBeGreaterThan(0);
  service!.process.kill('SIGKILL');
  expect(await service!.exited).toBe('SIGKILL');
  expect(receiver.received).toEqual([]);

  await start();
  expect(await runSql(dataDir, 'select id from webhook_deliveries')).toEqual([]);
  await runSql(dataDir, 'drop trigger sleep_amid on webhook_deliveries');
  const countStatuses = () =>
    runSql(dataDir, 'select status, count(*)::integer from webhook_deliveries group by status');
  await expect
    .poll(countStatuses, { interval: 500 })
    .toEqual([{ status: 'delivered', count: subscriptions * events }]);
  const received = new Set(receiver.received.map(({ path, event }) => `${path} ${event?.id}`));
  expect(received.size).toBe(subscriptions * events);
  expect(receiver.received.every(({ event }) => event !== undefined)).toBe(true);
});

/** Lets the statement that writes the deliveries wait once some of its rows are inserted. */
const sleepingTrigger = `
  create function sleep_amid() returns trigger language plpgsql as $$
  begin
    if (select count(*) from webhook_deliveries) = ${subscriptions * events - 1} then perform pg_sleep(10); end if;
    return new;
  end $$;
  create trigger sleep_amid before insert on webhook_deliveries for each row execute function sleep_amid()`;

async function runSql(dataDir: string, text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ ...(await findRunningPostgres(dataDir))!, ssl: false });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Registers an organisation with subscriptions. */
async function subscribe(url: string, receiver_url: string) {
  const send = async (path: string, body: object, token?: string) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(120_000),
    });
    return response.json() as Promise<Record<string, never>>;
  };
  const account = { email: 'hooks@example.org', password: 'Correct-Horse-7-Battery' };
  const { access_token } = await send('/auth/register', { ...account, name: 'Hooks', role: 'org_admin' });
  const created = [];
  for (let number = 0; number < subscriptions; number++)
    created.push(await send('/webhooks/', { url: `${receiver_url}/${number}` }, access_token));
  return { org_id: String(created[0]!['org_id']), secrets: created.map(({ secret }) => String(secret)) };
}

/** Writes events in one transaction, as an operation does. */
async function emitEvents(dataDir: string, org_id: string): Promise<void> {
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const database = openDatabase(settings, () => undefined);
  const log = pino({ level: 'silent' });
  const options = { database, clock: systemClock, log, metrics: openMetrics() };
  const queue = openQueue({ ...options, tasks: taskTable, events: eventTable });
  const ids = { match_id: unknownId, job_id: unknownId, member_id: unknownId, shown_member_id: unknownId };
  await database.transaction(async (tx) => {
    for (let number = 0; number < events; number++)
      await queue.emit(tx, placementCreated, {
        ...ids,
        org_id,
        outcome: 'placed',
        placed_at: '2026-11-02',
        ended_at: null,
      });
  });
  await queue.close();
  await database.close();
}
