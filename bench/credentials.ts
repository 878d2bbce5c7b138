import { randomBytes, randomUUID } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { signedForms, type Statement } from '../src/modules/credentials/signing/forms.ts';
import { issuerOf } from '../src/modules/credentials/signing/issuer.ts';
import { emptyBits, shuffledIndexes } from '../src/modules/credentials/revocation/status-bits.ts';
import { insertList } from '../src/modules/credentials/revocation/store.ts';
import { answer, startNode, usageOf } from './lib/child.ts';
import type { BareSetup } from './lib/bare-server.ts';
import { temporaryDirectory } from './lib/directory.ts';
import { least } from './lib/interleave.ts';
import { microseconds, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';
import type { CredentialOrder, CredentialSetup } from './lib/credential-work.ts';
import type { LoadSetup } from './lib/load-generator.ts';
import { systemClock } from '#platform/clock.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/embedded-postgres/index.ts';
import { openKeys, type SigningKey } from '#platform/security/keys.ts';
import { loadMasterKey, secretsFrom } from '#platform/security/secrets.ts';

/** Three forms, three signatures. */
const signatures = 3;

/** Processor time of a verification and of an issued credential, beside the ES256 signatures in them. */
export const benchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const [count, rounds] = quick ? [200, 2] : [1_000, 50];
  const subjects = await startSubjects(cleaning, count);
  const { distinct, repeated, verifyAlone, issue, signAlone, nothing } = await least(subjects, rounds);
  const perSecond = (cost_us: number) => Math.round(1e6 / cost_us).toLocaleString('en');
  const share = (ours: number, raw: number) => `${(raw / ours).toFixed(2)} of its rate`;
  const verification = 'one ES256 verification by `node:crypto`';
  return {
    title: 'Processor time of a verification and of a credential',
    tables: [
      {
        head: ['work', 'Tessera', 'a CPU-second', 'beside', '', 'ratio', 'target'],
        rows: [
          [
            '`GET /credentials/verify`, distinct tokens',
            microseconds(distinct),
            perSecond(distinct),
            verification,
            microseconds(verifyAlone),
            share(distinct, verifyAlone),
            '0.6',
          ],
          [
            '`GET /credentials/verify`, repeated tokens',
            microseconds(repeated),
            perSecond(repeated),
            verification,
            microseconds(verifyAlone),
            share(repeated, verifyAlone),
            '2.4 (4 × 0.6)',
          ],
          [
            'a credential in three forms, stored, batches of 100',
            microseconds(issue),
            perSecond(issue),
            'three ES256 signatures',
            microseconds(signatures * signAlone),
            share(issue, signatures * signAlone),
            '0.4',
          ],
        ],
      },
    ],
    notes: [
      `User and system time of all threads of the process; ${rounds} slices of ${count} each in turn, of which the least; 16 connections from a third`,
      'process. The service runs as in production: rate limits, log, measurements, validation both ways; every request looks expiry and revocation up.',
      `A distinct token was never seen before; a repeated one was. node:http alone takes ${microseconds(nothing)} to answer as many bytes. PostgreSQL is`,
      'another process and not counted.',
    ],
  };
};

type Subjects = Readonly<
  Record<'distinct' | 'repeated' | 'verifyAlone' | 'issue' | 'signAlone' | 'nothing', () => Promise<number>>
>;

async function startSubjects(cleaning: AsyncDisposableStack, count: number): Promise<Subjects> {
  const dataDir = path.join(await temporaryDirectory(cleaning), 'data');
  // Every request comes from an address of its own, so that none meets the limit of one address.
  const service = await startService(cleaning, dataDir, process.env['BENCH_NODE_FLAGS']?.split(' '), {
    TESSERA_TRUSTED_PROXIES: '127.0.0.1',
  });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const worker = startNode(cleaning, ['bench/lib/credential-work.ts']);
  const tell = async (message: CredentialSetup | CredentialOrder) => {
    worker.send(message);
    const outcome = await answer(worker);
    if (outcome !== 'done') throw new Error(String(outcome));
  };
  await tell({ settings, dataDir, publicUrl: service.publicUrl });
  const generator = startNode(cleaning, ['bench/lib/load-generator.ts']);
  const tokens = await tokenMaker(settings, dataDir, service.publicUrl);
  const load = (some: readonly string[]) => loaded(generator, service, some.map(requestOf));
  const known = tokens(count);
  const bare = await startBare(cleaning, settings, await sampleOf(service, known[0]!));
  const bareRequests = known.map(() => 'GET /- HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await load(known);
  const alone = (order: CredentialOrder) => () => costOf(worker, order.count, () => tell(order));
  return {
    distinct: () => load(tokens(count)),
    repeated: () => load(known),
    nothing: () => loaded(generator, bare, bareRequests),
    verifyAlone: alone({ work: 'verify', count }),
    issue: alone({ work: 'issue', count }),
    signAlone: alone({ work: 'sign', count }),
  };
}

/** Microseconds of processor time for each of these requests. */
async function loaded(
  generator: ChildProcess,
  { child, port }: Pick<Service, 'child' | 'port'>,
  requests: readonly string[],
): Promise<number> {
  generator.send({ requests: { these: requests } } satisfies LoadSetup);
  await answer(generator);
  return costOf(child, requests.length, async () => {
    generator.send({ subject: 'these', port, count: requests.length });
    const outcome = await answer(generator);
    if (outcome !== 'done') throw new Error(String(outcome));
  });
}

/** An answer of the service, for the bare server to send as much; and the proof that the token is valid. */
async function sampleOf({ port }: Service, token: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/credentials/verify?token=${token}`);
  const body = await response.text();
  if (!body.startsWith('{"valid":true')) throw new Error(body);
  return body;
}

async function startBare(
  cleaning: AsyncDisposableStack,
  settings: BareSetup['settings'],
  constant: string,
): Promise<Pick<Service, 'child' | 'port'>> {
  const child = startNode(cleaning, ['bench/lib/bare-server.ts']);
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  child.send({ settings, queries: {}, headers, constant } satisfies BareSetup);
  return { child, port: (await answer(child)) as number };
}

async function costOf(child: ChildProcess, count: number, work: () => Promise<unknown>): Promise<number> {
  const before = await usageOf(child);
  await work();
  const after = await usageOf(child);
  return (after.cpu_us - before.cpu_us) / count;
}

function requestOf(token: string): string {
  const [one, two, three] = randomBytes(3);
  return `GET /api/v1/credentials/verify?token=${token} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 10.${one}.${two}.${three}\r\n\r\n`;
}

/** Signs attestation tokens of credentials that are stored nowhere, with the service's own key and in a list of the service. */
async function tokenMaker(
  settings: Parameters<typeof openDatabase>[0],
  dataDir: string,
  publicUrl: string,
): Promise<(count: number) => readonly string[]> {
  const database = openDatabase(settings, () => undefined);
  const status_list_id = await listIn(database);
  const keys = await openKeys(database, secretsFrom(await loadMasterKey(undefined, dataDir)), systemClock);
  const key: SigningKey = keys.active('ES256');
  keys.close();
  await database.close();
  const issuer = issuerOf(publicUrl);
  const issued_at = new Date(Math.floor(systemClock.now().getTime() / 1000) * 1000);
  const statement = (status_index: number): Statement => ({
    id: randomUUID(),
    member_id: randomUUID(),
    credential_type: 'trait_attestation',
    attestation_tier: 'self_attested',
    claims: { archetype_family: 'craft', trait_coverage: 0.9 },
    issued_at,
    expires_at: new Date(issued_at.getTime() + 86_400_000),
    status_list_id,
    status_index,
  });
  return (count) =>
    Array.from({ length: count }, (_, index) => signedForms(issuer, key, statement(index)).attestation_token);
}

async function listIn(database: Database): Promise<string> {
  const id = randomUUID();
  const created_at = systemClock.now();
  await database.transaction((tx) =>
    insertList(tx, { id, bits: emptyBits(), shuffled: shuffledIndexes(), created_at }),
  );
  return id;
}
