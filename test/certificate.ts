import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A key and its self-signed certificate, both PEM. */
export type Identity = {
  readonly privateKey: string;
  readonly certificate: string;
  readonly publicKey: string;
};

export type Subject = {
  readonly name?: string;
  /** Host names that a TLS server proves with it. */
  readonly hosts?: readonly string[];
  readonly not_before?: Date;
  readonly not_after?: Date;
  readonly bits?: number;
  readonly elliptic?: boolean;
};

/** Makes a self-signed X.509 certificate (RFC 5280), which Node can read and not write. */
export function selfSigned({
  name = 'Test',
  hosts = [],
  not_before = new Date('2025-01-01T00:00:00Z'),
  not_after = new Date('2035-01-01T00:00:00Z'),
  bits = 2048,
  elliptic = false,
}: Subject = {}): Identity {
  const { privateKey, publicKey } = elliptic
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: bits });
  const algorithm = elliptic ? ecdsaWithSha256 : rsaWithSha256;
  const entity = sequence(set(sequence(objectId(2, 5, 4, 3), tagged(0x0c, Buffer.from(name)))));
  const content = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    algorithm,
    entity,
    sequence(time(not_before), time(not_after)),
    entity,
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(hosts.length > 0 ? [tagged(0xa3, sequence(alternativeNames(hosts)))] : []),
  );
  return {
    privateKey: pem('PRIVATE KEY', privateKey.export({ type: 'pkcs8', format: 'der' })),
    publicKey: pem('PUBLIC KEY', publicKey.export({ type: 'spki', format: 'der' })),
    certificate: pem('CERTIFICATE', sequence(content, algorithm, bitString(signed(content, privateKey)))),
  };
}

function signed(content: Buffer, key: KeyObject): Buffer {
  return sign('sha256', content, key);
}

function alternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) => tagged(0x82, Buffer.from(host)));
  return sequence(objectId(2, 5, 29, 17), tagged(0x04, sequence(...names)));
}

const rsaWithSha256 = sequence(objectId(1, 2, 840, 113549, 1, 1, 11), tagged(0x05));
const ecdsaWithSha256 = sequence(objectId(1, 2, 840, 10045, 4, 3, 2));

/** A value of DER (X.690): tag, length, content. */
function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function set(...parts: readonly Buffer[]): Buffer {
  return tagged(0x31, ...parts);
}

function integer(value: number): Buffer {
  return tagged(0x02, Buffer.from([value]));
}

function bitString(content: Buffer): Buffer {
  return tagged(0x03, Buffer.from([0]), content);
}

function objectId(first: number, second: number, ...rest: readonly number[]): Buffer {
  const base128 = (value: number): number[] =>
    value < 0x80 ? [value] : [...base128(value >> 7).map((byte) => byte | 0x80), value & 0x7f];
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function time(date: Date): Buffer {
  const text = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? tagged(0x17, Buffer.from(text.slice(2)))
    : tagged(0x18, Buffer.from(text));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
