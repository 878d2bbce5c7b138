import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { encode } from 'base58-universal';
import { createForeignKey, encodeBitstring, type ForeignKey } from '#test/modules/foreign-issuer.ts';
import { requestUsage } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { formatMilliseconds, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';

/** What a verification of a stranger's credential may take. */
const processor_ms_max = 50;
const waiting_ms_max = 10_000;

const context = 'https://www.w3.org/ns/credentials/v2';

/** Measures the processor time and the waiting that the most expensive credentials cost that were found. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const directory = await createTemporaryDirectory(cleaning);
  const service = await startService(cleaning, `${directory}/data`, [], {
    TESSERA_RATE_LIMITS: 'off',
    TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const rounds = quick ? 3 : 20;
  const measured = [];
  for (const [name, credential] of Object.entries(buildCredentials()))
    measured.push([name, await measureProcessor(service, JSON.stringify(credential), rounds)] as const);
  const key = createForeignKey();
  const origin = await startSlowServer(cleaning, key);
  const waited_ms = await measureWaiting(service, buildSlowCredential(origin, key));
  const failures = measured
    .filter(([, ms]) => ms > processor_ms_max)
    .map(([name, ms]) => `${name} took ${formatMilliseconds(ms)} of processor time`);
  if (waited_ms > waiting_ms_max) failures.push(`a slow issuer took ${formatMilliseconds(waited_ms)}`);
  return {
    title: 'Verification of a credential of a stranger',
    tables: [
      {
        head: ['credential', 'processor time', 'limit'],
        rows: measured.map(([name, ms]) => [name, formatMilliseconds(ms), `${processor_ms_max} ms`]),
      },
      {
        head: ['credential', 'waiting', 'limit'],
        rows: [['an issuer that takes 2.4 s for each reply', formatMilliseconds(waited_ms), '10.0 s']],
      },
    ],
    notes: [
      `Processor time is that of all threads of the service for a request of \`POST /credentials/verify\`: the least of ${rounds} runs, after one that loads the packages.`,
      'The hostile ones are those of many shapes that cost most, at the limits of what is accepted.',
    ],
    failures,
  };
};

function buildCredentials(): Readonly<Record<string, object>> {
  const { multibase } = createForeignKey('Ed25519');
  const did = `did:key:${multibase}`;
  const proof = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-rdfc-2022',
    proofPurpose: 'assertionMethod',
    verificationMethod: `${did}#${multibase}`,
    proofValue: `z${encode(Buffer.alloc(64, 1))}`,
  };
  const build = (more: object) => ({
    '@context': [context],
    type: ['VerifiableCredential'],
    issuer: did,
    credentialSubject: { id: 'urn:x' },
    proof,
    ...more,
  });
  const buildBadge = (more: object) =>
    build({ '@context': badgeContexts, type: ['VerifiableCredential', 'OpenBadgeCredential'], ...more });
  const repeat = <Value>(count: number, create: (index: number) => Value) =>
    Array.from({ length: count }, (_, index) => create(index));
  return {
    'an ordinary one': build({ credentialSubject: { id: 'urn:x', name: 'Night nurse' } }),
    'an Open Badge': buildBadge({
      credentialSubject: {
        type: ['AchievementSubject'],
        achievement: {
          id: 'urn:y',
          type: ['Achievement'],
          name: 'Night nurse',
          criteria: { narrative: 'A hundred nights.' },
        },
      },
    }),
    'a badge of many types': buildBadge({
      type: repeat(60, (index) => ['VerifiableCredential', ...badgeTypes][index % (badgeTypes.length + 1)]),
    }),
    'a badge of many things': buildBadge({
      evidence: repeat(19, (index) => ({ id: `urn:${index}`, type: badgeTypes, name: 'b' })),
    }),
    'a badge in a badge': buildBadge({ credentialSubject: nestAchievements(8) }),
    'a badge with many alignments': buildBadge({
      credentialSubject: {
        id: 'urn:x',
        achievement_alignment: repeat(45, (index) => ({ targetName: `a${index}`, targetCode: 'b' })),
      },
    }),
    'things that look alike': build({ evidence: repeat(47, () => ({ type: 'VerifiableCredential' })) }),
    'many types': build({
      type: repeat(
        60,
        (index) => ['VerifiableCredential', 'JsonSchemaCredential', 'DataIntegrityProof'][index % 3],
      ),
    }),
    'many things': build({ evidence: repeat(47, (index) => ({ name: `a${index}`, description: 'b' })) }),
    'a long text': build({ credentialSubject: { id: 'urn:x', name: '😀"'.repeat(16_000) } }),
    'a deep list': build({
      credentialSubject: JSON.parse(`${'{"a":'.repeat(19)}1${'}'.repeat(19)}`) as object,
    }),
  };
}

const badgeContexts = [
  context,
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
  'https://purl.imsglobal.org/spec/ob/v3p0/extensions.json',
  'https://other.example/contexts/credentials/v2',
];

/** Types that change what the words in them mean, each by a context of its own. */
const badgeTypes = ['Achievement', 'AchievementSubject', 'Profile'];

/** Each level changes the meaning of words once more. */
function nestAchievements(levels: number): object {
  const inner = levels === 0 ? {} : { source: nestAchievements(levels - 1) };
  return { type: badgeTypes, achievement: { type: badgeTypes, name: 'a', ...inner } };
}

async function measureProcessor(
  { child, port }: Service,
  credential: string,
  rounds: number,
): Promise<number> {
  await send(port, credential);
  let least_ms = Infinity;
  for (let round = 0; round < rounds; round++) {
    const before = await requestUsage(child);
    await send(port, credential);
    least_ms = Math.min(least_ms, ((await requestUsage(child)).cpu_us - before.cpu_us) / 1000);
  }
  return least_ms;
}

async function send(port: number, credential: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/credentials/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ credential }),
  });
  await response.text();
  if (response.status !== 200) throw new Error(`the verification replied with ${response.status}`);
}

/** A server that answers everything rightly, each time a moment before the service gives up. */
async function startSlowServer(cleaning: AsyncDisposableStack, key: ForeignKey): Promise<string> {
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host ?? ''}`;
    void pause(2_400).then(() => response.end(buildReply(origin, request.url ?? '', key)));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleaning.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function buildReply(origin: string, path: string, key: ForeignKey): string {
  if (path.startsWith('/list')) {
    const credentialSubject = { statusPurpose: 'revocation', encodedList: encodeBitstring([]) };
    return key.signJwt({ kid: 'one' }, { iss: origin, credentialSubject });
  }
  if (path === '/keys') return JSON.stringify({ keys: [{ ...key.jwk, kid: 'one' }] });
  return JSON.stringify({ issuer: origin, jwks_uri: `${origin}/keys` });
}

/** A credential for which four documents must be read. */
function buildSlowCredential(origin: string, key: ForeignKey): string {
  const credentialStatus = [1, 2].map((index) => ({
    type: 'BitstringStatusListEntry',
    statusPurpose: 'revocation',
    statusListIndex: String(index),
    statusListCredential: `${origin}/list-${index}`,
  }));
  return key.signJwt({ kid: 'one' }, { iss: origin, credentialStatus });
}

async function measureWaiting({ port }: Service, credential: string): Promise<number> {
  const started = performance.now();
  await send(port, credential);
  return performance.now() - started;
}
