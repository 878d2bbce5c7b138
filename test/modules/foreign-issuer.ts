import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { encode } from 'base58-universal';
import { cleanUpAfterFile } from '../clean-up.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of another issuer, which tests let misbehave. */
type ForeignServer = {
  readonly origin: string;
  readonly host: string;
  /** The paths that were requested. */
  readonly requested: string[];
  /** What it replies with by path: JSON, text, or whatever a function does. */
  readonly replies: Map<string, object | string | Respond>;
};

/** Starts a server on this machine, which is closed after the test file. */
export async function startForeignServer(): Promise<ForeignServer> {
  const replies: ForeignServer['replies'] = new Map();
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requested.push(path);
    const reply = replies.get(path);
    if (typeof reply === 'function') return reply(request, response);
    if (reply === undefined) return response.writeHead(404).end();
    return response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanUpAfterFile(async () => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin: `http://${host}`, host, requested, replies };
}

/** A key of an issuer, and how it signs. */
export type ForeignKey = {
  readonly jwk: object;
  readonly multibase: string;
  readonly signJwt: (header: object, payload: object) => string;
  readonly signBytes: (data: Uint8Array) => Buffer;
};

/** Creates a P-256 key, or one of Ed25519, which signs no JWT here. */
export function createForeignKey(curve: 'P-256' | 'Ed25519' = 'P-256'): ForeignKey {
  const isEd25519 = curve === 'Ed25519';
  const { privateKey, publicKey } = isEd25519
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signBytes = (data: Uint8Array) =>
    sign(isEd25519 ? null : 'sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return {
    jwk: publicKey.export({ format: 'jwk' }),
    multibase: encodeMultibase(publicKey),
    signBytes,
    signJwt: (header, payload) => {
      const signed = [{ alg: 'ES256', ...header }, payload].map(encodeJson).join('.');
      return `${signed}.${signBytes(Buffer.from(signed)).toString('base64url')}`;
    },
  };
}

function encodeMultibase(key: KeyObject): string {
  const { x = '', y } = key.export({ format: 'jwk' });
  if (y === undefined) return `z${encode(Buffer.from([0xed, 0x01, ...Buffer.from(x, 'base64url')]))}`;
  const isOdd = (Buffer.from(y, 'base64url').at(-1)! & 1) === 1;
  return `z${encode(Buffer.from([0x80, 0x24, isOdd ? 3 : 2, ...Buffer.from(x, 'base64url')]))}`;
}

const encodeJson = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An issuer that has a did:web on a server, and publishes its key there. */
export function addDidWeb({ host, replies }: ForeignServer, key: ForeignKey) {
  const did = `did:web:${host.replace(':', '%3A')}`;
  const method = { id: `${did}#key-1`, type: 'JsonWebKey', controller: did, publicKeyJwk: key.jwk };
  const multikey = {
    id: `${did}#key-2`,
    type: 'Multikey',
    controller: did,
    publicKeyMultibase: key.multibase,
  };
  replies.set('/.well-known/did.json', {
    id: did,
    verificationMethod: [method, multikey],
    assertionMethod: ['#key-1', multikey.id],
  });
  return { did, kid: method.id, multikey: multikey.id };
}

/** The content of a credential of version 2 of the data model. */
export function buildForeignCredential(issuer: string, overrides: object = {}) {
  return {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    type: ['VerifiableCredential'],
    issuer: { id: issuer, name: 'Harbour Health' },
    validFrom: '2026-01-01T00:00:00Z',
    credentialSubject: { id: 'urn:uuid:7d1f6c1e-0000-4000-8000-000000000000', name: 'Night nurse' },
    ...overrides,
  };
}

/** A Bitstring Status List with these indexes set. */
export function encodeBitstring(indexes: readonly number[], bytes = 16_384): string {
  const bits = Buffer.alloc(bytes);
  for (const index of indexes) bits[index >> 3]! |= 0x80 >> (index & 7);
  return `u${gzipSync(bits).toString('base64url')}`;
}
