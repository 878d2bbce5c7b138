import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../../bench/lib/ports.ts';
import { startJobsAndPeople } from '../cluster/load/jobs-and-people.ts';
import { createSender, type Send } from '../cluster/load/send.ts';
import { openWriteLog, type Acknowledged, type WriteLog } from '../cluster/load/write-log.ts';
import { waitFor, type Program, type Workshop } from '../cluster/programs.ts';
import { startAnswering, type AnswerLoad } from './answer-load.ts';
import { compareNodes, public_url } from './compare-nodes.ts';

/** The folders of both versions. */
type Trees = { readonly earlier: string; readonly later: string };

type Version = keyof Trees;

/** What happened while two nodes were upgraded and taken back. */
export type Upgrade = {
  readonly steps: readonly { readonly name: string; readonly longest_ms: number }[];
  readonly migrations: readonly string[];
  /** How many replies the writing clients got with each status; `none`: the connection broke. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly acknowledged: number;
  readonly lost: number;
  /** What was not valid on the other node, with the step. */
  readonly differences: readonly string[];
};

type Options = {
  readonly trees: Trees;
  /** An empty database. */
  readonly settings: pg.ClientConfig;
  /** How long each mixture of versions serves. */
  readonly calm_ms: number;
};

/** Starts two nodes of the earlier version, and replaces one after the other by the later version and back, while clients write. */
export async function rollUpgrade(
  cleaning: AsyncDisposableStack,
  workshop: Workshop,
  { trees, settings, calm_ms }: Options,
): Promise<Upgrade> {
  const nodes = await prepareNodes(workshop, trees, settings);
  const [one, two] = nodes;
  await one.start('earlier');
  await two.start('earlier');
  const client = new pg.Client(settings);
  await client.connect();
  cleaning.defer(() => client.end());
  const before = await listMigrations(client);
  const send = createSender(nodes.map(({ url }) => url));
  const log = openWriteLog();
  const tokens = await registerOrganisations(send);
  const load = startJobsAndPeople(log, send, tokens);
  const answering = startAnswering(send, 2);
  const steps: { name: string; longest_ms: number }[] = [];
  const differences: string[] = [];
  const runStep = async (name: string, change: () => Promise<void>) => {
    const began = performance.now();
    await change();
    await pause(calm_ms);
    await log.waitForWrites('jobs', tokens.length);
    const found = await compareNodes(one.url, two.url);
    differences.push(...found.map((difference) => `${name}: ${difference}`));
    steps.push({ name, longest_ms: log.findLongestGap(['jobs', 'registrations'], began, performance.now()) });
  };
  await runStep('two nodes of the earlier version', async () => undefined);
  await runStep('the first becomes the later version', () => one.replace('later'));
  await runStep('the second becomes the later version', () => two.replace('later'));
  await runStep('the first goes back', () => one.replace('earlier'));
  await runStep('the second goes back', () => two.replace('earlier'));
  log.stop();
  await Promise.all([load, answering.stop()]);
  return {
    steps,
    differences,
    migrations: (await listMigrations(client)).filter((name) => !before.includes(name)),
    statuses: addCounts(log.countStatuses(), answering.statuses),
    acknowledged: log.list('jobs').length + log.list('registrations').length + answering.countAnswers(),
    lost: (await countLost(client, log)) + (await countLostAnswers(client, answering)),
  };
}

/** Whether no request failed beyond a 503, nothing was lost, both versions understood each other, and there was something to migrate. */
export function hasPassed({ statuses, lost, differences, migrations, acknowledged }: Upgrade): boolean {
  const failed = [...statuses.keys()].filter((status) => !['200', '201', '204', '503'].includes(status));
  return failed.length + lost + differences.length === 0 && Math.min(migrations.length, acknowledged) > 0;
}

/** The upgrade as a table and lines. */
export function describeUpgrade(upgrade: Upgrade): string {
  const { steps, migrations, statuses, acknowledged, lost, differences } = upgrade;
  return [
    '| step | longest pause between acknowledged writes |\n| --- | --- |',
    ...steps.map(({ name, longest_ms }) => `| ${name} | ${(longest_ms / 1000).toFixed(1)} s |`),
    `Migrations between them: ${migrations.length}. Acknowledged writes: ${acknowledged}. Lost: ${lost}.`,
    `Replies by status: ${[...statuses].map(([status, count]) => `${status} ${count}`).join(', ')}.`,
    `Not valid on the other node: ${differences.length === 0 ? 'nothing' : differences.join('; ')}.`,
  ].join('\n');
}

type Node = {
  readonly url: string;
  readonly start: (version: Version) => Promise<void>;
  /** Stops the node as an operator does, and starts the other version in its place. */
  readonly replace: (version: Version) => Promise<void>;
};

async function prepareNodes(
  workshop: Workshop,
  trees: Trees,
  { user, host, port, database, password }: pg.ClientConfig,
): Promise<readonly [Node, Node]> {
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : '';
  const shared = {
    TESSERA_DATABASE_URL: `postgres://${user}${secret}@${encodeURIComponent(host!)}:${port}/${database}`,
    TESSERA_MASTER_KEY: randomBytes(32).toString('base64'),
    TESSERA_PUBLIC_URL: public_url,
    TESSERA_RATE_LIMITS: 'off',
    TESSERA_LOG_LEVEL: 'warn',
  };
  const prepare = async (name: string): Promise<Node> => {
    const [open, internal] = [await findFreePort(), await findFreePort()];
    const env = {
      ...shared,
      TESSERA_DATA_DIR: await workshop.makeDirectory(name),
      TESSERA_PORT: String(open),
      TESSERA_INTERNAL_PORT: String(internal),
    };
    let program: Program | undefined;
    const start = async (version: Version) => {
      const words = [path.join(trees[version], 'src/app/main.js'), 'serve'];
      program = await workshop.start(name, process.execPath, words, { env });
      const health = `http://127.0.0.1:${internal}/health/ready`;
      await waitFor(`node ${name}`, 120, async () => (await fetch(health)).ok);
    };
    return {
      url: `http://127.0.0.1:${open}`,
      start,
      replace: async (version) => {
        const ended = once(program!.child, 'exit');
        program!.child.kill('SIGTERM');
        await ended;
        await start(version);
      },
    };
  };
  return [await prepare('one'), await prepare('two')];
}

async function registerOrganisations(send: Send): Promise<readonly string[]> {
  const register = async (number: number) => {
    const { reply } = await send('/auth/register', {
      email: `admin-${number}@rolling.example`,
      password: 'Correct-Horse-9',
      name: `Organisation ${number}`,
      role: 'org_admin',
    });
    return (reply as { access_token: string }).access_token;
  };
  return Promise.all([1, 2, 3].map(register));
}

async function listMigrations(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name');
  return rows.map(({ name }) => name);
}

function addCounts(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const statuses = new Set([...one.keys(), ...other.keys()]);
  return new Map([...statuses].map((status) => [status, (one.get(status) ?? 0) + (other.get(status) ?? 0)]));
}

/** Answers are rows until a result is based on them, and then a part of their assessment. */
async function countLostAnswers(client: pg.Client, { countAnswers }: AnswerLoad): Promise<number> {
  const { rows } = await client.query<{ found: number }>(`
    select (select count(*)::int from assessment_answers)
      + (select coalesce(sum(cardinality(item_ids)), 0)::int from assessments) as found`);
  return Math.max(0, countAnswers() - rows[0]!.found);
}

async function countLost(client: pg.Client, { list }: WriteLog): Promise<number> {
  const count = async (table: string, acknowledged: readonly Acknowledged[]) => {
    const ids = acknowledged.map(({ id }) => id);
    const { rows } = await client.query<{ found: number }>(
      `select count(*)::int as found from ${table} where id = any($1)`,
      [ids],
    );
    return ids.length - rows[0]!.found;
  };
  return (await count('jobs', list('jobs'))) + (await count('users', list('registrations')));
}
