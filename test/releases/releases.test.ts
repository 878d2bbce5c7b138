import { cp, mkdtemp, rm } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { migrateDatabase, migrationsDir } from '#platform/database/migrate.ts';
import { owner_role, prepareRoles } from '#platform/database/roles.ts';
import { sql } from '#platform/database/database.ts';
import { checkBooks, describeFaults, toReportFields } from '#modules/income/books';
import { describeAuditFaults, verifyAudit } from '#modules/operations/audit';
import { cleanUpAfterFile } from '../clean-up.ts';
import type { TestPostgres } from '../global-setup.ts';
import { startApp } from '../harness.ts';
import {
  listColumns,
  listMigrations,
  loadSample,
  readSample,
  sample_key,
  sample_password,
  type Sample,
} from './sample.ts';

const server = inject('server');
const hasRoles = inject('serviceUser') !== server.user;
const releases = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.gz'))
  .map((name) => path.basename(name, '.gz'));

/** What the migrations after a release do to its rows on purpose. Every other row stays as it was, in every column. */
const intended: Readonly<Record<string, Readonly<Record<'dropped' | 'more', readonly string[]>>>> = {
  '0.1.0': {
    // 0005_status_list_blocks.sql has the bits in blocks, and signs when somebody asks.
    dropped: ['bits', 'version', 'vc_jwt', 'token_jwt', 'signed_at'].map((name) => `status_lists.${name}`),
    // 0030_open_badges.sql queues work.
    more: ['tasks'],
  },
};

test.each(releases)('a database of %s keeps its rows, and its people go on', async (release) => {
  const sample = readSample(new URL(`${release}.gz`, import.meta.url));
  const settings = await createDatabase();
  const client = new pg.Client(settings);
  await client.connect();
  cleanUpAfterFile(() => client.end());
  await migrateToRelease(settings, sample);
  await loadSample(client, sample);
  const columns = await listColumns(client);
  const written = await readRows(client, columns);

  await migrateDatabase(buildOwnerSettings(settings));
  const today = await listColumns(client);
  const isKept = (table: string) => (name: string) => today.get(table)?.includes(name) === true;
  const kept = new Map([...columns].map(([table, names]) => [table, names.filter(isKept(table))]));
  const dropped = [...columns].flatMap(([table, names]) =>
    names.filter((name) => !isKept(table)(name)).map((name) => `${table}.${name}`),
  );
  const found = await readRows(client, kept);
  const different = [...kept].filter(([table, names]) => {
    const before = written.get(table)!.map((row) => pickColumns(row, names));
    const after = new Set(found.get(table)!.map((row) => pickColumns(row, names)));
    expect([table, before.filter((row) => !after.has(row))]).toEqual([table, []]);
    return found.get(table)!.length > before.length;
  });
  // Each migration adds its own row.
  const more = different.map(([table]) => table).filter((table) => table !== 'migrations');
  expect({ dropped, more }).toEqual(intended[release] ?? { dropped: [], more: [] });
  await client.end();
  await goOn(settings, sample);
});

/** The member and the organisation of the demonstration use what they had, and write more. */
async function goOn(settings: TestPostgres, sample: Sample): Promise<void> {
  const readTable = (table: string) => JSON.parse(sample.tables.get(table)!) as Record<string, string>[];
  const { origin } = new URL(readTable('tasks').find(({ result_url }) => result_url)!['result_url']!);
  const environment = { TESSERA_MASTER_KEY: sample_key, TESSERA_PUBLIC_URL: origin };
  const app = await startApp(environment, settings);
  const ends = readTable('audit_log').map(({ created_at }) => new Date(created_at!).getTime());
  app.clock.set(new Date(Math.max(...ends) + 60_000));
  const logIn = async (role: string) => {
    const { email } = readTable('users').find((user) => user['role'] === role)!;
    const body = { email, password: sample_password };
    return (await app.request('POST', '/auth/login', { body })).body.access_token as string;
  };
  const [member, organisation] = [await logIn('member'), await logIn('org_admin')];
  const read = async (path: string, token?: string) => {
    const { status, body } = await app.request('GET', path, token === undefined ? {} : { token });
    expect([path, status, body]).toEqual([path, 200, expect.anything()]);
    return body;
  };
  for (const path of ['', '/traits', '/archetype', '/matches', '/consent', '/earnings', '/legibility'])
    await read(`/members/me${path}`, member);
  const [credential] = (await read('/credentials/', member)).data;
  expect(await read(`/credentials/${credential.id}/verify`)).toMatchObject({ valid: true });
  const jobs = await read('/orgs/me/jobs', organisation);
  expect(jobs.data).toHaveLength(readTable('jobs').length);
  const { title, outcome_description, trait_priorities } = jobs.data[0];
  const body = { title, outcome_description, trait_priorities };
  const created = await app.request('POST', '/orgs/me/jobs', { token: organisation, body });
  expect(created.status).toBe(201);
  await app.drainQueue();
  expect(await read(`/orgs/me/jobs/${created.body.id}/matches`, organisation)).toBeDefined();
  expect(await app.sql.list(sql`select name, error from tasks where status = 'failed'`)).toEqual([]);
  expect(describeFaults(toReportFields(await checkBooks(app.platform)))).toBeUndefined();
  expect(describeAuditFaults(await verifyAudit(app.platform, {}))).toBeUndefined();
}

async function createDatabase(): Promise<TestPostgres> {
  const database = `${inject('template')}_release_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database ${database}`);
  await client.end();
  const settings = { ...server, database };
  if (hasRoles) await prepareRoles(settings);
  return settings;
}

const buildOwnerSettings = (settings: TestPostgres) => ({
  ...settings,
  ...(hasRoles && { user: owner_role }),
});

/** Runs the migrations that the release had, as they are today: the checksums of the sample refuse one that was edited since. */
async function migrateToRelease(settings: TestPostgres, sample: Sample): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tessera-release-'));
  cleanUpAfterFile(() => rm(folder, { recursive: true, force: true }));
  for (const name of listMigrations(sample)) await cp(new URL(name, migrationsDir), path.join(folder, name));
  await migrateDatabase(buildOwnerSettings(settings), pathToFileURL(`${folder}/`));
}

type Row = Readonly<Record<string, string | null>>;

/** Reads the rows of tables as texts, so that nothing is lost to the numbers of JavaScript. */
async function readRows(
  client: pg.Client,
  columns: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const tables = new Map<string, readonly Row[]>();
  for (const [table, names] of columns) {
    const list = names.map((name) => `${name}::text as ${name}`).join(', ');
    tables.set(table, (await client.query<Row>(`select ${list} from ${table}`)).rows);
  }
  return tables;
}

const pickColumns = (row: Row, names: readonly string[]) => JSON.stringify(names.map((name) => row[name]));
