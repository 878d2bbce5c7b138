import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A key and its self-signed certificate, both PEM. */
export type Identity = {
  readonly privateKey: string;
  readonly certificate: string;
  readonly publicKey: string;
};

export type Subject = {
  readonly name?: string;
  /** The host names that a TLS server can prove with the certificate. */
  readonly hosts?: readonly string[];
  readonly not_before?: Date;
  readonly not_after?: Date;
  readonly bits?: number;
  readonly elliptic?: boolean;
};

/** Creates a self-signed X.509 certificate (RFC 5280). Node can read certificates, but not create them. */
export function createCertificate({
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
  const entity = encodeSequence(
    encodeSet(encodeSequence(encodeObjectId(2, 5, 4, 3), encodeTagged(0x0c, Buffer.from(name)))),
  );
  const content = encodeSequence(
    encodeTagged(0xa0, encodeInteger(2)),
    encodeInteger(1),
    algorithm,
    entity,
    encodeSequence(encodeTime(not_before), encodeTime(not_after)),
    entity,
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(hosts.length > 0 ? [encodeTagged(0xa3, encodeSequence(encodeAlternativeNames(hosts)))] : []),
  );
  return {
    privateKey: encodePem('PRIVATE KEY', privateKey.export({ type: 'pkcs8', format: 'der' })),
    publicKey: encodePem('PUBLIC KEY', publicKey.export({ type: 'spki', format: 'der' })),
    certificate: encodePem(
      'CERTIFICATE',
      encodeSequence(content, algorithm, encodeBitString(signContent(content, privateKey))),
    ),
  };
}

function signContent(content: Buffer, key: KeyObject): Buffer {
  return sign('sha256', content, key);
}

function encodeAlternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) => encodeTagged(0x82, Buffer.from(host)));
  return encodeSequence(encodeObjectId(2, 5, 29, 17), encodeTagged(0x04, encodeSequence(...names)));
}

const rsaWithSha256 = encodeSequence(encodeObjectId(1, 2, 840, 113549, 1, 1, 11), encodeTagged(0x05));
const ecdsaWithSha256 = encodeSequence(encodeObjectId(1, 2, 840, 10045, 4, 3, 2));

/** A value of DER (X.690): tag, length, content. */
function encodeTagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function encodeSequence(...parts: readonly Buffer[]): Buffer {
  return encodeTagged(0x30, ...parts);
}

function encodeSet(...parts: readonly Buffer[]): Buffer {
  return encodeTagged(0x31, ...parts);
}

function encodeInteger(value: number): Buffer {
  return encodeTagged(0x02, Buffer.from([value]));
}

function encodeBitString(content: Buffer): Buffer {
  return encodeTagged(0x03, Buffer.from([0]), content);
}

function encodeObjectId(first: number, second: number, ...rest: readonly number[]): Buffer {
  const encodeBase128 = (value: number): number[] =>
    value < 0x80 ? [value] : [...encodeBase128(value >> 7).map((byte) => byte | 0x80), value & 0x7f];
  return encodeTagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(encodeBase128)]));
}

function encodeTime(date: Date): Buffer {
  const text = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? encodeTagged(0x17, Buffer.from(text.slice(2)))
    : encodeTagged(0x18, Buffer.from(text));
}

function encodePem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
