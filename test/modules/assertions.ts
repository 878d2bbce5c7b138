import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import type { TestApp, TestReply } from '../harness.ts';

type Algorithm = 'ES256' | 'EdDSA' | 'RS256';

type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** A service key whose program has the private key. */
export type SigningProgram = {
  readonly id: string;
  readonly private_key: SigningKey;
  /** Signs an assertion, by default one that is accepted. */
  readonly sign: (changes?: JWTPayload, algorithm?: string) => Promise<string>;
};

/** Generates a pair of keys, and writes the public one as JWK. */
export async function generateSigningKey(algorithm: Algorithm = 'ES256') {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  return { private_key: privateKey, public_key: await exportJWK(publicKey) };
}

/** Registers a public key that is permitted to read and create jobs. */
export async function registerProgram(
  app: TestApp,
  token: string,
  { algorithm = 'ES256', ...changes }: { algorithm?: Algorithm } & Readonly<Record<string, unknown>> = {},
): Promise<SigningProgram> {
  const { private_key, public_key } = await generateSigningKey(algorithm);
  const permissions = ['GET /orgs/me/jobs', 'POST /orgs/me/jobs'];
  const body = { name: 'Applicant tracking system', permissions, public_key, ...changes };
  const reply = await app.request('POST', '/orgs/me/service-keys/public', { token, body });
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return createProgram(app, reply.body.id, private_key, algorithm);
}

/** A program with a private key of a service key. */
export function createProgram(
  app: TestApp,
  id: string,
  private_key: SigningKey,
  algorithm: Algorithm = 'ES256',
): SigningProgram {
  return {
    id,
    private_key,
    sign: (changes = {}, alg = algorithm) => {
      const now_s = Math.floor(app.clock.now().getTime() / 1000);
      const aud = app.platform.config.publicUrl;
      const claims = { iss: id, sub: id, aud, exp: now_s + 60, jti: crypto.randomUUID(), ...changes };
      return new SignJWT(claims).setProtectedHeader({ alg }).sign(private_key);
    },
  };
}

/** Asks for a token with an assertion. */
export function exchangeAssertion(
  app: TestApp,
  assertion: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<TestReply> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
    ...changes,
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return app.request('POST', '//oauth/token', { headers, raw: form.toString() });
}
