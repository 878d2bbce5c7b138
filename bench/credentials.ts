import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { createTokenSigner } from './lib/attestation-tokens.ts';
import type { BareSetup } from './lib/bare-server.ts';
import { receiveDone, receiveMessage, receivePort, requestUsage, startNode } from './lib/child.ts';
import type { CredentialOrder, CredentialSetup } from './lib/credential-work.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import type { LoadSetup } from './lib/load-generator.ts';
import { measureLeast } from './lib/measure.ts';
import { formatMicroseconds, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';

/** Each of the three forms has one signature. */
const signatures = 3;

/** Measures the processor time of verifying and of issuing a credential, compared with the ES256 operations that they contain. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const [count, rounds] = quick ? [200, 2] : [1_000, 50];
  const subjects = await startSubjects(cleaning, count);
  const cost = await measureLeast(subjects, rounds);
  const formatRate = (cost_us: number) => Math.round(1e6 / cost_us).toLocaleString('en');
  const row = (what: string, ours: number, fast: number, common: number, target: string) => [
    what,
    formatMicroseconds(ours),
    formatRate(ours),
    formatMicroseconds(fast),
    (fast / ours).toFixed(2),
    formatMicroseconds(common),
    (common / ours).toFixed(2),
    target,
  ];
  const { verifyFast, verify } = cost;
  return {
    title: 'Processor time of a verification and of a credential',
    tables: [
      {
        head: [
          'work',
          'Tessera',
          'per CPU-second',
          'ES256 alone, fastest call',
          'of its rate',
          'ES256 alone, common call',
          'of its rate',
          'target',
        ],
        rows: [
          row('`GET /credentials/verify`, distinct tokens', cost.distinct, verifyFast, verify, '0.6'),
          row(
            '`GET /credentials/verify`, repeated tokens',
            cost.repeated,
            verifyFast,
            verify,
            '2.4 (4 × 0.6)',
          ),
          row(
            'a credential in three forms, stored, batches of 100',
            cost.issue,
            signatures * cost.signFast,
            signatures * cost.sign,
            '0.4',
          ),
        ],
      },
    ],
    notes: [
      `The time is the user and system time of all threads of the process: the least of ${rounds} slices of ${count} operations each, which alternate`,
      'between the subjects, with 16 connections from a third process. The service runs as in production: rate limits, log, metrics, validation of requests',
      'and replies; every request checks expiry and revocation. A distinct token is verified for the first time, a repeated one was verified before. node:http',
      `alone takes ${formatMicroseconds(cost.nothing)} to send as many bytes. PostgreSQL is another process and is not counted. The fastest call of \`node:crypto\``,
      'passes a bare `KeyObject` and DER signatures; the common call, which JOSE libraries make, passes `{ key, dsaEncoding: "ieee-p1363" }`. A verification is',
      'compared with one ES256 verification, a credential with three ES256 signatures.',
    ],
  };
};

type Subjects = Readonly<
  Record<'distinct' | 'repeated' | 'nothing' | CredentialOrder['work'], () => Promise<number>>
>;

async function startSubjects(cleaning: AsyncDisposableStack, count: number): Promise<Subjects> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  // Every request comes from a different address, so that no address exceeds its rate limit.
  const service = await startService(cleaning, dataDir, process.env['BENCH_NODE_FLAGS']?.split(' '), {
    TESSERA_TRUSTED_PROXIES: '127.0.0.1',
  });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const worker = startNode(cleaning, ['bench/lib/credential-work.ts']);
  const runOrder = async (message: CredentialSetup | CredentialOrder) => {
    worker.send(message);
    await receiveDone(worker);
  };
  await runOrder({ settings, dataDir, publicUrl: service.publicUrl });
  const generator = startNode(cleaning, ['bench/lib/load-generator.ts']);
  const signTokens = await createTokenSigner(settings, dataDir, service.publicUrl);
  const measureTokens = (tokens: readonly string[]) =>
    measureLoad(generator, service, tokens.map(buildRequest));
  const repeatedTokens = signTokens(count);
  const bare = await startBareServer(cleaning, settings, await fetchSample(service, repeatedTokens[0]!));
  const bareRequests = repeatedTokens.map(() => 'GET /- HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await measureTokens(repeatedTokens);
  const createOrderSubject = (order: CredentialOrder) => () =>
    measureCost(worker, order.count, () => runOrder(order));
  return {
    distinct: () => measureTokens(signTokens(count)),
    repeated: () => measureTokens(repeatedTokens),
    nothing: () => measureLoad(generator, bare, bareRequests),
    issue: createOrderSubject({ work: 'issue', count }),
    sign: createOrderSubject({ work: 'sign', count }),
    signFast: createOrderSubject({ work: 'signFast', count }),
    verify: createOrderSubject({ work: 'verify', count }),
    verifyFast: createOrderSubject({ work: 'verifyFast', count }),
  };
}

/** Measures the microseconds of processor time of a request. */
async function measureLoad(
  generator: ChildProcess,
  { child, port }: Pick<Service, 'child' | 'port'>,
  requests: readonly string[],
): Promise<number> {
  generator.send({ requests: { these: requests } } satisfies LoadSetup);
  await receiveMessage(generator);
  return measureCost(child, requests.length, async () => {
    generator.send({ subject: 'these', port, count: requests.length });
    await receiveDone(generator);
  });
}

/** Fetches a reply of the service, so that the bare server can send as many bytes, and checks that the token is valid. */
async function fetchSample({ port }: Service, token: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/credentials/verify?token=${token}`);
  const body = await response.text();
  if (!body.startsWith('{"valid":true')) throw new Error(body);
  return body;
}

async function startBareServer(
  cleaning: AsyncDisposableStack,
  settings: BareSetup['settings'],
  constant: string,
): Promise<Pick<Service, 'child' | 'port'>> {
  const child = startNode(cleaning, ['bench/lib/bare-server.ts']);
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  child.send({ settings, queries: {}, headers, constant } satisfies BareSetup);
  return { child, port: await receivePort(child) };
}

/** Measures the microseconds of processor time of one of `count` operations. */
async function measureCost(child: ChildProcess, count: number, work: () => Promise<void>): Promise<number> {
  const before = await requestUsage(child);
  await work();
  const after = await requestUsage(child);
  return (after.cpu_us - before.cpu_us) / count;
}

function buildRequest(token: string): string {
  const [one, two, three] = randomBytes(3);
  return `GET /api/v1/credentials/verify?token=${token} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 10.${one}.${two}.${three}\r\n\r\n`;
}
