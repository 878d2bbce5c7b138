import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase, sql } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { insertAgents } from './lib/agents.ts';
import { createTokenSigner } from './lib/attestation-tokens.ts';
import { insertCallers } from './lib/callers.ts';
import { startNode, stopChild } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import type { Edit } from './lib/edit-modules.ts';
import { measureLoad } from './lib/measure-load.ts';
import { buildRealRequests, type RequestName } from './lib/real-requests.ts';
import { formatMicroseconds, formatPercent, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';

const caller_count = 500;

/** What a fast path must save of the processor time of a real request, in the service and in the database. */
const gain_min = 0.15;

/** Code that is longer than it could be for the sake of speed, and the edits that take it out. */
type FastPath = {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** The requests that it is for. It must save enough of one of them. */
  readonly requests: readonly RequestName[];
};

const fastPaths: readonly FastPath[] = [
  {
    name: 'calls of tools beside the library of the protocol',
    edits: [
      {
        file: 'src/platform/mcp/plain-call.ts',
        from: 'if (!isCallMessage(body)) return undefined;',
        to: 'if (!isCallMessage(body) || body.id !== undefined) return undefined;',
      },
    ],
    requests: ['toolCall', 'formerToolCall'],
  },
  {
    name: 'statements of a transaction without a wait between them',
    edits: [{ file: 'src/platform/database/database.ts', from: 'pipeline: true,', to: 'pipeline: false,' }],
    requests: ['updateProfile', 'createJob'],
  },
  {
    name: 'signatures with a bare key',
    edits: [
      {
        file: 'src/platform/security/jws.ts',
        from: "const signature = sign('sha256', data, keyObjects.private);",
        to: "if (algorithm === 'ES256') return sign('sha256', data, { key: keyObjects.private, dsaEncoding: 'ieee-p1363' }); const signature = sign('sha256', data, keyObjects.private);",
      },
      {
        file: 'src/platform/security/jws.ts',
        from: "verify('sha256', data, key.keyObjects.public, toDerSignature(signature))",
        to: "verify('sha256', data, { key: key.keyObjects.public, dsaEncoding: 'ieee-p1363' }, signature)",
      },
    ],
    requests: ['issueCredential', 'verifyCredential'],
  },
];

/** Compares the service with itself without each of its fast paths. Each must be worth its lines. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const [count, rounds] = quick ? [50, 2] : [100, 41];
  const setup = await startFast(cleaning);
  const rows: string[][] = [];
  const failures: string[] = [];
  for (const { name, edits, requests } of fastPaths) {
    const plain = await startPlain(cleaning, setup, edits);
    const gains: number[] = [];
    for (const request of requests) {
      const compared = await compareServices(setup, plain, { request, count, rounds });
      gains.push(compared.gain);
      rows.push([name, `\`${request}\``, ...compared.cells]);
    }
    await stopChild(plain.child);
    if (!quick && Math.max(...gains) < gain_min)
      failures.push(`${name} save less than ${formatPercent(gain_min)} of each request: take them out.`);
  }
  return {
    title: 'What each fast path saves of a request',
    tables: [
      {
        head: ['fast path', 'request', 'with it', 'without it', 'saved (target: 15 %)', 'middle half'],
        rows,
      },
    ],
    notes: [
      `Processor time of the service and of PostgreSQL for one request, with 16 connections: medians of ${rounds} pairs of slices of ${count} requests, which`,
      'alternate between the service and the same service without the fast path, on the same database. What is saved is the median of the ratios of the pairs.',
    ],
    failures,
  };
};

type Setup = {
  readonly service: Service;
  readonly generator: ChildProcess;
  /** The environment of a second service on the same database. */
  readonly environment: Readonly<Record<string, string>>;
  readonly requests: ReturnType<typeof buildRealRequests>;
};

async function startFast(cleaning: AsyncDisposableStack): Promise<Setup> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const common = { TESSERA_RATE_LIMITS: 'off', TESSERA_ROLES: 'api' };
  const service = await startService(cleaning, dataDir, [], common);
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const callers = await insertCallers(settings, dataDir, service.publicUrl, caller_count);
  const database = openDatabase({ ...settings, max: 1 }, () => undefined);
  await database.run(sql`
    update members set assessment_phase = 'complete', email_verified = true, assessment_consented = true, matching_consented = true`);
  await database.close();
  const agentTokens = await insertAgents(settings, dataDir, service.publicUrl, callers);
  const signTokens = await createTokenSigner(settings, dataDir, service.publicUrl);
  return {
    service,
    generator: startNode(cleaning, ['bench/lib/load-generator.ts']),
    environment: {
      ...common,
      TESSERA_PUBLIC_URL: service.publicUrl,
      TESSERA_DATABASE_URL: `postgres://${settings.user}@localhost/${settings.database}?host=${encodeURIComponent(settings.host)}`,
      TESSERA_MASTER_KEY: (await readFile(path.join(dataDir, 'master.key'), 'utf8')).trim(),
    },
    requests: buildRealRequests({ callers, agentTokens, signToken: () => signTokens(1)[0]! }),
  };
}

async function startPlain(
  cleaning: AsyncDisposableStack,
  { environment }: Setup,
  edits: readonly Edit[],
): Promise<Service> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  return startService(cleaning, dataDir, ['--import', './bench/lib/edit-modules.ts'], {
    ...environment,
    BENCH_EDITS: JSON.stringify(edits),
  });
}

type Comparison = { readonly request: RequestName; readonly count: number; readonly rounds: number };

/** Until then, V8 compiles what the requests use. */
const warm_slices = 10;

async function compareServices(setup: Setup, plain: Service, { request, count, rounds }: Comparison) {
  let turn = 0;
  const measure = async (server: Service) => {
    const requests = Array.from({ length: count }, () => setup.requests[request](turn++));
    const { node_us, database_us } = await measureLoad(setup, server, requests);
    return node_us + database_us;
  };
  const pairs: { readonly fast_us: number; readonly plain_us: number }[] = [];
  for (let round = -warm_slices; round < rounds; round++) {
    // In each other round, the plain service is the first.
    const early_us = round % 2 === 0 ? undefined : await measure(plain);
    const fast_us = await measure(setup.service);
    const plain_us = early_us ?? (await measure(plain));
    if (round >= 0) pairs.push({ fast_us, plain_us });
  }
  const saved = sort(pairs.map(({ fast_us, plain_us }) => 1 - fast_us / plain_us));
  return {
    gain: selectPart(saved, 0.5),
    cells: [
      formatMicroseconds(selectPart(sort(pairs.map(({ fast_us }) => fast_us)), 0.5)),
      formatMicroseconds(selectPart(sort(pairs.map(({ plain_us }) => plain_us)), 0.5)),
      formatPercent(selectPart(saved, 0.5)),
      `${formatPercent(selectPart(saved, 0.25))} to ${formatPercent(selectPart(saved, 0.75))}`,
    ],
  };
}

function sort(values: readonly number[]): readonly number[] {
  return values.toSorted((one, other) => one - other);
}

function selectPart(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(part * (sorted.length - 1))]!;
}
