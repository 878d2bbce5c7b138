import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { TestApp, TestReply } from '#test/harness.ts';
import type { TestUser } from '#test/users.ts';

/** An authenticator without a device: it creates a passkey and signs with it, right or wrong in one respect (WebAuthn Level 3, section 6). */
export type TestAuthenticator = {
  readonly credential_id: string;
  create(options: CreationOptions, faults?: Faults): object;
  get(options: RequestOptions, faults?: Faults): UsedPasskeyBody;
};

export type UsedPasskeyBody = { readonly id: string; readonly response: Readonly<Record<string, unknown>> };

type CreationOptions = {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
};
type RequestOptions = { readonly challenge: string; readonly rpId: string };

/** What differs from a right answer. */
export type Faults = {
  readonly origin?: string;
  readonly rp_id?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly user_verified?: boolean;
  readonly user_present?: boolean;
  readonly user_handle?: string | undefined;
  readonly sign_count?: number;
  /** Signs with another key. */
  readonly key?: KeyObject;
  readonly alg?: number;
};

const hashText = (text: string) => createHash('sha256').update(text).digest();
const toText = (bytes: Buffer) => bytes.toString('base64url');

/** Creates an authenticator with one ES256 key. `counts` says whether it counts signatures; synced passkeys do not. */
export function createAuthenticator(origin: string, { counts = true } = {}): TestAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credential = randomBytes(16);
  const credential_id = toText(credential);
  let signatures = 0;
  let user_handle: string | undefined;

  const buildClientData = (type: string, challenge: string, faults: Faults) =>
    Buffer.from(
      JSON.stringify({
        type: faults.type ?? type,
        challenge: faults.challenge ?? challenge,
        origin: faults.origin ?? origin,
        crossOrigin: false,
      }),
    );

  const buildData = (rp_id: string, attested: Buffer, faults: Faults) => {
    const flags =
      (faults.user_present === false ? 0 : 1) |
      (faults.user_verified === false ? 0 : 4) |
      (attested.length > 0 ? 64 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(faults.sign_count ?? (counts ? ++signatures : 0));
    return Buffer.concat([hashText(faults.rp_id ?? rp_id), Buffer.from([flags]), count, attested]);
  };

  return {
    credential_id,
    create: ({ challenge, rp, user }, faults = {}) => {
      user_handle = user.id;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const key = encodeMap([
        [1, 2],
        [3, faults.alg ?? -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const length = Buffer.from([0, credential.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credential, key]);
      const attestation = encodeMap([
        ['fmt', 'none'],
        ['attStmt', emptyMap],
        ['authData', buildData(rp.id, attested, faults)],
      ]);
      return {
        id: credential_id,
        rawId: credential_id,
        type: 'public-key',
        authenticatorAttachment: 'platform',
        clientExtensionResults: {},
        response: {
          clientDataJSON: toText(buildClientData('webauthn.create', challenge, faults)),
          attestationObject: toText(attestation),
          transports: ['internal'],
          publicKeyAlgorithm: -7,
        },
      };
    },
    get: ({ challenge, rpId }, faults = {}) => {
      const clientData = buildClientData('webauthn.get', challenge, faults);
      const data = buildData(rpId, Buffer.alloc(0), faults);
      const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
      return {
        id: credential_id,
        rawId: credential_id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: toText(clientData),
          authenticatorData: toText(data),
          signature: toText(sign('sha256', signed, faults.key ?? privateKey)),
          userHandle: 'user_handle' in faults ? faults.user_handle : user_handle,
        },
      } as UsedPasskeyBody;
    },
  };
}

/** The only map within another is empty. */
const emptyMap = Symbol('an empty map');
type Cbor = number | string | Buffer | typeof emptyMap;

/** Encodes a map in CBOR (RFC 8949), as far as passkeys need it. */
function encodeMap(entries: readonly (readonly [Cbor, Cbor])[]): Buffer {
  return Buffer.concat([encodeHead(5, entries.length), ...entries.flat().map(encodeValue)]);
}

function encodeValue(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  if (typeof value === 'string')
    return Buffer.concat([encodeHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  return Buffer.isBuffer(value) ? Buffer.concat([encodeHead(2, value.length), value]) : encodeHead(5, 0);
}

function encodeHead(kind: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(kind << 5) | value]);
  if (value < 256) return Buffer.from([(kind << 5) | 24, value]);
  return Buffer.from([(kind << 5) | 25, value >> 8, value & 255]);
}

type ChallengeApp = Pick<TestApp, 'request'>;

/** Asks for the options of a purpose. */
export async function requestOptions(app: ChallengeApp, purpose: string, token?: string) {
  const { status, body } = await app.request('POST', '/auth/passkeys/challenge', {
    ...(token !== undefined && { token }),
    body: { purpose },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.public_key as CreationOptions & RequestOptions;
}

export type AddedPasskey = { readonly id: string; readonly authenticator: TestAuthenticator };

/** Adds a passkey to an account through the API. */
export async function addTestPasskey(
  app: TestApp,
  { token }: Pick<TestUser, 'token'>,
  { name = 'Phone', counts = true } = {},
): Promise<AddedPasskey> {
  const authenticator = createAuthenticator(app.platform.config.publicUrl, { counts });
  const passkey = authenticator.create(await requestOptions(app, 'register', token));
  const { status, body } = await app.request('POST', '/auth/passkeys', { token, body: { name, passkey } });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { id: body.id as string, authenticator };
}

/** Logs in with a passkey. */
export async function logInByPasskey(
  app: ChallengeApp,
  authenticator: TestAuthenticator,
  faults?: Faults,
): Promise<TestReply> {
  const passkey = authenticator.get(await requestOptions(app, 'log_in'), faults);
  return app.request('POST', '/auth/passkeys/authenticate', { body: { passkey } });
}
