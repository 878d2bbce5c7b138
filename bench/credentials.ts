import { generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import path from 'node:path';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import { buildIssuer } from '../src/modules/credentials/credentials/signing/issuer.ts';
import { signForms, signOpenBadge } from '../src/modules/credentials/credentials/signing/signed-forms.ts';
import type { CredentialStatement } from '../src/modules/credentials/credentials/signing/statement.ts';
import { buildVerifiableCredential } from '../src/modules/credentials/credentials/signing/verifiable-credential.ts';
import { createTokenSigner } from './lib/attestation-tokens.ts';
import { startNode } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { measureLeast } from './lib/measure.ts';
import { measureLoad } from './lib/measure-load.ts';
import { formatMicroseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService } from './lib/service.ts';

/** The credential in four forms may cost so many times the three forms that were there before Open Badges. */
const ratio_max = 1.3;

/** Of a request with a known token and a signature check alone, the share that the first verification of a token may take at least. */
const verification_min = 0.8;

/** Measures the processor time of signing a credential in its forms, and of verifying a token. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  const [count, rounds] = quick ? [50, 5] : [200, 60];
  const verification = await measureVerification(quick ? 100 : 500, quick ? 3 : 40);
  const issuer = buildIssuer('https://tessera.example');
  const key = createKey();
  const statements = Array.from({ length: count }, buildStatement).map((statement) => ({
    statement,
    // The badge is signed after the W3C credential, and shares its content.
    credential: buildVerifiableCredential(issuer, statement),
  }));
  const measureEach = (sign: (one: (typeof statements)[number]) => unknown) => () => {
    const before = process.cpuUsage();
    for (const one of statements) sign(one);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  };
  const { four_us, badge_us } = await measureLeast(
    {
      four_us: measureEach(({ statement }) => signForms(issuer, key, statement)),
      badge_us: measureEach(({ statement, credential }) => signOpenBadge(issuer, key, statement, credential)),
    },
    rounds,
  );
  const ratio = four_us / (four_us - badge_us);
  return {
    title: 'Signing a credential',
    tables: [
      {
        head: ['four forms', 'of which the Open Badge', `four forms to three (target: ${ratio_max}×)`],
        rows: [[formatMicroseconds(four_us), formatMicroseconds(badge_us), formatRatio(ratio)]],
      },
      {
        head: [
          'first verification of a token',
          'of a known token',
          'the signature alone',
          `both to the first (target: ${verification_min})`,
        ],
        rows: [
          [
            formatMicroseconds(verification.first_us),
            formatMicroseconds(verification.known_us),
            formatMicroseconds(verification.signature_us),
            ((verification.known_us + verification.signature_us) / verification.first_us).toFixed(2),
          ],
        ],
      },
    ],
    notes: [
      `The processor time of one credential: the least of ${rounds} slices of ${count}. A verification is \`GET /credentials/verify\` in Node, each from another address.`,
    ],
  };
};

/** Measures a request that verifies a token for the first time, one with a token that was verified before, and the check of an ES256 signature alone. */
async function measureVerification(count: number, rounds: number) {
  await using cleaning = new AsyncDisposableStack();
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  // Every request comes from another address, so that none exceeds its rate limit.
  const service = await startService(cleaning, dataDir, [], { TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const signTokens = await createTokenSigner(settings, dataDir, service.publicUrl);
  const generator = startNode(cleaning, ['bench/lib/load-generator.ts']);
  const measureTokens = async (tokens: readonly string[]) => {
    const { node_us } = await measureLoad({ service, generator }, service, tokens.map(buildVerification));
    return node_us;
  };
  const known = signTokens(count);
  await measureTokens(known);
  return await measureLeast(
    {
      first_us: () => measureTokens(signTokens(count)),
      known_us: () => measureTokens(known),
      signature_us: createSignatureCheck(count),
    },
    rounds,
  );
}

let addresses = 0;

function buildVerification(token: string): string {
  const address = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`;
  return `GET /api/v1/credentials/verify?token=${token} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${address}\r\n\r\n`;
}

function createSignatureCheck(count: number): () => number {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const message = Buffer.alloc(500, 'x');
  const signature = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return () => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < count; turn++)
      verify('sha256', message, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  };
}

/** A key in memory. Signing needs only these fields of it. */
function createKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key: Pick<SigningKey, 'kid' | 'algorithm' | 'keyObjects'> = {
    kid: randomUUID(),
    algorithm: 'ES256',
    keyObjects: { public: publicKey, private: privateKey },
  };
  return key as SigningKey;
}

function buildStatement(_: unknown, status_index: number): CredentialStatement {
  const issued_at = new Date('2026-03-02T09:00:00Z');
  return {
    id: randomUUID(),
    member_id: randomUUID(),
    credential_type: 'trait_attestation',
    attestation_tier: 'self_attested',
    claims: {
      archetype_family: 'craft',
      archetype: 'maker',
      archetype_certainty: 'high',
      trait_coverage: 0.9,
    },
    issued_at,
    expires_at: new Date(issued_at.getTime() + 365 * 86_400_000),
    status_list_id: randomUUID(),
    status_index,
  };
}
