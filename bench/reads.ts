import type { ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { formatMatchId, formatMatchIdFromHex, match_id_bytes } from '#lib/match-id.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/embedded-postgres/index.ts';
import { createSecrets, loadMasterKey } from '#platform/security/secrets.ts';
import type { BareReadsSetup } from './lib/bare-reads.ts';
import { insertCallers, type CallerPair } from './lib/callers.ts';
import { receivePort, startNode } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { measureLeastCosts } from './lib/measure.ts';
import { measureLoad, type Costs } from './lib/measure-load.ts';
import { formatMicroseconds, formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';

/** Enough organisations that none exceeds its daily quota or its rate limit. */
const caller_count = 2_000;

/** The clients that read the same member at the same time. */
const clients = 32;

/** Measures a paid read of one popular member on the mock rail: its processor time, compared with a bare transaction, and its latencies. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const [count, rounds] = quick ? [100, 2] : [200, 40];
  const setup = await startServers(cleaning);
  const { ours, bare } = await measureLeastCosts(createSubjects(setup, count), rounds);
  const sum = ({ node_us, database_us }: Costs) => node_us + database_us;
  const latencies = await measureLatencies(setup, quick ? 200 : 4_000);
  const pick = (share: number) => latencies[Math.floor(latencies.length * share)]!;
  return {
    title: 'Paid reads of one member',
    tables: [
      {
        head: ['processor time of a paid read', 'Tessera', 'bare transaction', 'ratio (target: 4.0×)'],
        rows: [
          [
            'Node',
            formatMicroseconds(ours.node_us),
            formatMicroseconds(bare.node_us),
            formatRatio(ours.node_us / bare.node_us),
          ],
          [
            'PostgreSQL',
            formatMicroseconds(ours.database_us),
            formatMicroseconds(bare.database_us),
            formatRatio(ours.database_us / bare.database_us),
          ],
          [
            'both',
            formatMicroseconds(sum(ours)),
            formatMicroseconds(sum(bare)),
            formatRatio(sum(ours) / sum(bare)),
          ],
        ],
      },
      {
        head: [`latency with ${clients} clients`, 'p50', 'p99', 'ratio (target: 10×)'],
        rows: [
          [
            'paid read',
            formatMilliseconds(pick(0.5)),
            formatMilliseconds(pick(0.99)),
            formatRatio(pick(0.99) / pick(0.5)),
          ],
        ],
      },
    ],
    notes: [
      `The least of ${rounds} slices of ${count} requests each, which alternate with those of the bare server, with 16 connections from a third process.`,
      'Every read is of the same member, for a new payment of the mock rail, by one of 2,000 organisations that were quoted the price before. Tessera runs as in',
      'production (`TESSERA_ROLES=api`). The bare server inserts the same rows in one transaction; it authenticates, checks, locks and reads nothing.',
    ],
  };
};

type Reader = CallerPair & { readonly alias: string };

type Setup = {
  readonly service: Service;
  readonly bare: Pick<Service, 'child' | 'port'>;
  readonly generator: ChildProcess;
  readonly readers: readonly Reader[];
  readonly member_id: string;
};

async function startServers(cleaning: AsyncDisposableStack): Promise<Setup> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const flags = process.env['BENCH_NODE_FLAGS']?.split(' ');
  const service = await startService(cleaning, dataDir, flags, { TESSERA_ROLES: 'api' });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const database = openDatabase({ ...settings, max: 1 }, () => undefined);
  cleaning.defer(() => database.close());
  const callers = await insertCallers(settings, dataDir, service.publicUrl, caller_count);
  const { member_id } = callers[0]!;
  await prepareMember(database, member_id);
  const readers = await insertMatches(database, dataDir, callers, member_id);
  const generator = startNode(cleaning, ['bench/lib/load-generator.ts']);
  const child = startNode(cleaning, ['bench/lib/bare-reads.ts']);
  child.send({
    settings: { ...settings, max: 10 },
    reply: await fetchSample(service, readers.at(-1)!),
  } satisfies BareReadsSetup);
  const bare = { child, port: await receivePort(child) };
  return { service, bare, generator, readers, member_id };
}

/** Makes the member one who is measured and sells everything. */
async function prepareMember(database: Database, member_id: string): Promise<void> {
  await database.run(sql`
    update members set assessment_phase = 'complete', email_verified = true, assessment_consented = true, matching_consented = true
    where id = ${member_id}`);
  const [mean, variance] = [0.4, 0.15].map((value) => Array<number>(20).fill(value));
  await database.run(sql`
    insert into trait_vectors (member_id, version, item_bank_version, provisional, vector, latent_mean, latent_variance, created_at)
    values (${member_id}, 1, 'bench', false, '{}', ${mean}, ${variance}, now())`);
  await database.run(sql`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), ${member_id}, consent_type, true, '1.0', now()
    from unnest(array['assessment_data', 'matching', 'identity_queries']) as consent_type`);
  await database.run(sql`
    insert into query_category_records (id, member_id, category, approved, created_at)
    select gen_random_uuid(), ${member_id}, category, true, now()
    from unnest(array['archetype', 'trait_profile', 'values_profile', 'alignment']) as category`);
}

/** Gives the member a match with the job of every caller, and quotes every organisation the price. */
async function insertMatches(
  database: Database,
  dataDir: string,
  callers: readonly CallerPair[],
  member_id: string,
): Promise<readonly Reader[]> {
  const { masterKey } = readConfig({ TESSERA_DATA_DIR: dataDir });
  const secrets = createSecrets(await loadMasterKey(masterKey, dataDir));
  const { version } = await database.one(
    sql<{ version: number }>`select max(version) as version from job_versions`,
  );
  await database.run(sql`
    insert into matches (id, member_id, job_id, org_id, match_quality, confidence_level, match_status, version, computed_at, created_at)
    select id, ${member_id}, job_id, org_id, 'strong', 'high', 'pending_review', ${version}, now(), now()
    from unnest(${callers.map(({ job_id }) => formatMatchId(job_id, randomBytes(match_id_bytes)))}::uuid[],
      ${callers.map(({ job_id }) => job_id)}::uuid[], ${callers.map(({ org_id }) => org_id)}::uuid[]) as given (id, job_id, org_id)`);
  await database.run(sql`
    insert into query_quotes (member_id, org_id, data_type, price_micros, expires_at)
    select ${member_id}, org_id, 'trait_profile', 500000, now() + interval '1 day' from matches`);
  await database.run(
    sql`analyze members, matches, trait_vectors, consent_records, query_category_records, query_quotes`,
  );
  return callers.map((caller) => {
    const encryptId = secrets.createIdCipher('match-alias', `${caller.job_id} ${version}`);
    const alias = formatMatchIdFromHex(caller.job_id, encryptId(member_id.replaceAll('-', '')));
    return { ...caller, alias };
  });
}

function buildHeaders({ token }: Reader): Readonly<Record<string, string>> {
  const payment = { tx_hash: randomUUID(), timestamp: Math.floor(Date.now() / 1000) };
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64'),
  };
}

function buildBody({ alias }: Reader): string {
  return JSON.stringify({ member_id: alias, data_type: 'trait_profile' });
}

const target = '/api/v1/orgs/queries/credential';

async function fetchSample({ port }: Pick<Service, 'port'>, reader: Reader): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    method: 'POST',
    headers: buildHeaders(reader),
    body: buildBody(reader),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(body);
  return body;
}

function createSubjects(setup: Setup, count: number) {
  const { service, bare, readers, member_id } = setup;
  let turn = 0;
  const takeReaders = () => Array.from({ length: count }, () => readers[turn++ % readers.length]!);
  return {
    ours: () =>
      measureLoad(
        setup,
        service,
        takeReaders().map((reader) => buildRequest(target, reader)),
      ),
    bare: () =>
      measureLoad(
        setup,
        bare,
        takeReaders().map((reader) =>
          buildRequest(`/${reader.user_id}/${reader.org_id}/${member_id}`, reader),
        ),
      ),
  };
}

function buildRequest(requestTarget: string, reader: Reader): string {
  const body = buildBody(reader);
  const headers = Object.entries(buildHeaders(reader)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${requestTarget} HTTP/1.1\r\nhost: localhost\r\n${headers.join('')}content-length: ${body.length}\r\n\r\n${body}`;
}

/** Reads the member with all clients at once. @returns the milliseconds of each request, ascending. */
async function measureLatencies({ service, readers }: Setup, count: number): Promise<readonly number[]> {
  const latencies: number[] = [];
  let next = 0;
  const runClient = async () => {
    while (next < count) {
      const reader = readers[next++ % readers.length]!;
      const started = performance.now();
      await fetchSample(service, reader);
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: clients }, runClient));
  return latencies.toSorted((one, other) => one - other);
}
