import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { readConfig } from '#platform/config.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { borrowDatabaseServer } from '../../src/app/service.ts';
import { createClient, type Client } from '../../src/demo/client.ts';
import { readMailedToken } from '../../src/demo/read-mailed-token.ts';
import { receiveWebhooks } from '../../src/demo/receive-webhooks.ts';
import { takeAssessment } from '../../src/demo/take-assessment.ts';
import { findFreePort } from '../free-port.ts';
import { estimateSlope } from './estimate-slope.ts';

/*
 * Runs the real service with everything on for an hour, and says whether anything grows that should not: `node test/operating/soak.ts --minutes 60`. Members register, are
 * assessed and matched, agree, and are read for money; webhooks are delivered, the archive follows, and nightly work runs every few minutes. A look every ten seconds takes
 * memory after a collection of garbage, open files, the rows of tables that only wait, and the log that the database keeps. The first fifth is left out of the slopes, and what
 * only warms up or fills has less slope in the second half. `--every 5` begins a member every five seconds at most, `--looks FILE` keeps each look as a line of JSON, and
 * `--snapshots 5,60` writes what is in the heap after these minutes into the folder, for the developer tools of a browser to compare; the service stands still meanwhile.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    folder: { type: 'string', default: tmpdir() },
    every: { type: 'string', default: '0' },
    snapshots: { type: 'string', default: '' },
    looks: { type: 'string' },
  },
});
const password = 'Correct-Horse-9-Battery';
const nightly = ['learning', 'checkpoints', 'books', 'drill'];
/** Tables of what waits: a row goes when its work is done. */
const waiting = ['tasks', 'waiting_notices', 'match_explanation_requests', 'session_endings', 'read_quotes'];
const look_ms = 10_000;
const nightly_every_looks = 18;

type Look = Readonly<Record<string, number>>;

async function runSoak(minutes: number): Promise<void> {
  await using cleaning = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(values.folder, 'tessera-soak-'));
  cleaning.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const dataDir = path.join(folder, 'data');
  const [port, internal, inspector] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const environment = {
    ...process.env,
    TESSERA_DATA_DIR: dataDir,
    TESSERA_ARCHIVE_DIR: path.join(folder, 'archive'),
    TESSERA_DRILL: 'nightly',
    TESSERA_RATE_LIMITS: 'off',
    TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true',
    TESSERA_PAYMENT_RAIL: 'mock',
    TESSERA_LOG_LEVEL: 'error',
    TESSERA_PORT: String(port),
    TESSERA_INTERNAL_PORT: String(internal),
  };
  const main = path.join(import.meta.dirname, '../../src/app/main.js');
  const service = spawn(process.execPath, [`--inspect=127.0.0.1:${inspector}`, main, 'serve'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  cleaning.defer(async () => {
    service.kill('SIGTERM');
    await ended;
  });
  let [output, errors] = ['', 0];
  service.stderr.resume();
  service.stdout.on('data', (chunk: Buffer) => {
    const text = chunk.toString();
    errors += text.split('"level":"error"').length - 1;
    if (text.includes('"level":"error"')) process.stderr.write(text);
    output = `${output}${text}`.slice(-2_000);
  });
  while (!output.includes('tessera ready')) await pause(200);
  const url = `http://127.0.0.1:${port}`;
  const config = readConfig({ TESSERA_DATA_DIR: dataDir });
  const server = await borrowDatabaseServer(config, openLog({ level: 'silent' }));
  cleaning.defer(() => server.stop());
  const client = new pg.Client(server.superuser);
  await client.connect();
  cleaning.defer(() => client.end());
  const heap = await openInspector(inspector);
  cleaning.defer(heap.close);
  const done = { members: 0, answers: 0, reads: 0, refused: 0, nights: 0, failed: 0 };
  const org = await registerOrganisation(url, dataDir);
  const receiver = await receiveWebhooks(org);
  cleaning.defer(() => receiver.close());
  const until = performance.now() + minutes * 60_000;
  const load = (async () => {
    while (performance.now() < until) {
      const next = performance.now() + Number(values.every) * 1_000;
      await runMember(url, dataDir, org, done).catch((error: unknown) => {
        done.failed += 1;
        process.stderr.write(`${(error as Error).message}\n`);
      });
      await pause(Math.max(0, next - performance.now()));
    }
  })();
  const looks: Look[] = [];
  const snapshots = values.snapshots.split(',').filter(Boolean).map(Number);
  for (let count = 1; performance.now() < until; count += 1) {
    await pause(look_ms);
    looks.push({
      minutes: (minutes * 60_000 - (until - performance.now())) / 60_000,
      ...(await takeLook(client, heap, service.pid!)),
    });
    const look = looks.at(-1)!;
    if (values.looks !== undefined) appendFileSync(values.looks, `${JSON.stringify({ ...look, ...done })}\n`);
    if (snapshots.length > 0 && look['minutes']! >= snapshots[0]!)
      await heap.writeSnapshot(path.join(values.folder, `soak-${snapshots.shift()}.heapsnapshot`));
    if (count % nightly_every_looks === 0) done.nights += await startNight(main, environment);
  }
  await load;
  process.stdout.write(
    `${minutes} minutes: ${JSON.stringify({ ...done, errors_in_log: errors, looks: looks.length })}\n`,
  );
  const steady = looks.slice(Math.floor(looks.length / 5));
  const late = looks.slice(Math.floor(looks.length / 2));
  for (const name of Object.keys(steady[0]!).filter((each) => each !== 'minutes')) {
    const [first, last] = [format(steady[0]![name]!), format(steady.at(-1)![name]!)];
    process.stdout.write(
      `${name.padEnd(24)} first ${first}  last ${last}  slope ${formatSlope(steady, name)} a minute, of the second half ${formatSlope(late, name)}\n`,
    );
  }
}

function formatSlope(looks: readonly Look[], name: string): string {
  const { slope, error } = estimateSlope(looks.map((each) => [each['minutes']!, each[name]!] as const));
  return `${slope.toFixed(3)} ± ${error.toFixed(3)}`;
}

function format(value: number): string {
  return value.toFixed(Math.abs(value) < 100 ? 2 : 0);
}

async function registerOrganisation(url: string, dataDir: string): Promise<Client> {
  const email = 'admin@example.org';
  const anonymous = createClient(url);
  const { access_token } = await anonymous.post('/auth/register', {
    email,
    password,
    name: 'Harbour Health',
    role: 'org_admin',
  });
  await anonymous.post('/auth/verify-email', {
    token: await readMailedToken(path.join(dataDir, 'mail'), email),
  });
  const org = anonymous.withToken(access_token);
  await org.post('/orgs/me/jobs', {
    title: 'Ward coordinator',
    outcome_description: 'The ward runs calmly at night.',
    trait_priorities: { empathic_attunement: 1, collaborative_orientation: 0.5 },
    remote_policy: 'hybrid',
  });
  return org;
}

type Done = {
  members: number;
  answers: number;
  reads: number;
  refused: number;
  nights: number;
  failed: number;
};

/** One member from registration to a paid read, as far as a match is found. */
async function runMember(url: string, dataDir: string, org: Client, done: Done): Promise<void> {
  const anonymous = createClient(url);
  const email = `${randomUUID()}@example.org`;
  const { access_token } = await anonymous.post('/auth/register', {
    email,
    password,
    name: 'Ada Lind',
    role: 'member',
  });
  const member = anonymous.withToken(access_token);
  await anonymous.post('/auth/verify-email', {
    token: await readMailedToken(path.join(dataDir, 'mail'), email),
  });
  for (const consent_type of ['assessment_data', 'identity_queries'])
    await member.post('/members/me/consent', { consent_type, granted: true, version: '1.0' });
  const leaning = { empathic_attunement: 1.6, collaborative_orientation: 1.4 };
  done.answers += await takeAssessment(member, 'first', leaning, createSeededRandom(done.members + 1));
  await member.post('/members/me/consent', { consent_type: 'matching', granted: true, version: '1.2' });
  await member.put('/members/me/profile', {
    current_industry: 'health',
    years_experience: 6,
    education_level: 'bachelors',
    location_country: 'AU',
    location_state: 'NSW',
  });
  await member.put('/orgs/queries/consent/category', { category: 'trait_profile', approved: true });
  done.members += 1;
  const match_id = await awaitMatch(member);
  if (match_id === undefined) return;
  await org.put(`/matches/${match_id}/status`, { status: 'org_interested' });
  await member.post(`/matches/${match_id}/response`, { decision: 'accept' });
  const { member_id } = await org.get(`/matches/${match_id}`);
  const payment = { tx_hash: randomUUID(), timestamp: Math.floor(Date.now() / 1_000) };
  const read = await org.send(
    'POST',
    '/orgs/queries/credential',
    { member_id, data_type: 'trait_profile' },
    {
      'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64'),
    },
  );
  // A member of whom too little is known is not sold, and a tier has a limit for each day.
  if (read.status === 409 || read.status === 429) done.refused += 1;
  else if (read.status === 200) done.reads += 1;
  else throw new Error(`a read failed with status ${read.status}: ${read.reply?.detail}`);
}

async function awaitMatch(member: Client): Promise<string | undefined> {
  for (let attempts = 0; attempts < 20; attempts += 1) {
    const { data } = await member.get('/members/me/matches');
    if (data.length > 0) return data[0].id;
    await pause(500);
  }
  return undefined;
}

/** Starts what runs at night, by the operator's command. @returns 1 if all of it was queued. */
async function startNight(main: string, env: NodeJS.ProcessEnv): Promise<number> {
  const codes: unknown[] = [];
  for (const work of nightly) {
    const command = spawn(process.execPath, [main, 'cli', 'work', 'start', work], { env, stdio: 'ignore' });
    codes.push(await new Promise((resolve) => command.once('exit', resolve)));
  }
  return codes.every((code) => code === 0) ? 1 : 0;
}

type Inspector = {
  readonly measure: () => Promise<NodeJS.MemoryUsage>;
  readonly writeSnapshot: (file: string) => Promise<void>;
  readonly close: () => void;
};

/** Connects to the inspector of the service, which collects garbage before it says how much memory is in use. */
async function openInspector(port: number): Promise<Inspector> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as [
    { webSocketDebuggerUrl: string },
  ];
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  let number = 0;
  const send = (method: string, params: object = {}) => {
    const id = (number += 1);
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise<unknown>((resolve) => {
      const accept = ({ data }: { readonly data: string }) => {
        const message = JSON.parse(data) as { id?: number; result?: unknown };
        if (message.id !== id) return;
        socket.removeEventListener('message', accept);
        resolve(message.result);
      };
      socket.addEventListener('message', accept);
    });
  };
  return {
    measure: async () => {
      await send('HeapProfiler.collectGarbage');
      const expression = 'JSON.stringify(process.memoryUsage())';
      const { result } = (await send('Runtime.evaluate', { expression })) as { result: { value: string } };
      return JSON.parse(result.value) as NodeJS.MemoryUsage;
    },
    writeSnapshot: async (file) => {
      const expression = `process.getBuiltinModule('v8').writeHeapSnapshot(${JSON.stringify(file)})`;
      await send('Runtime.evaluate', { expression });
    },
    close: () => socket.close(),
  };
}

async function takeLook(client: pg.Client, heap: Inspector, pid: number): Promise<Look> {
  const { heapUsed, external, rss } = await heap.measure();
  const rows = await client.query<Record<string, number>>(
    `select ${waiting.map((table) => `(select count(*)::int from ${table}) as rows_${table}`).join(', ')},
       (select coalesce(max(pg_current_wal_lsn() - restart_lsn), 0)::float8 / 1e6 from pg_replication_slots where slot_name = 'tessera_archive') as mb_log_not_archived,
       (select sum(size)::float8 / 1e6 from pg_ls_waldir()) as mb_log_kept`,
  );
  return {
    mb_heap: heapUsed / 1e6,
    mb_external: external / 1e6,
    mb_resident: rss / 1e6,
    open_files: readdirSync(`/proc/${pid}/fd`).length,
    ...rows.rows[0]!,
  };
}

await runSoak(Number(values.minutes));
