import { createDecipheriv } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '#platform/config.ts';
import { createSecrets, loadMasterKey } from './secrets.ts';

const secrets = createSecrets(Buffer.alloc(32, 1));

/** The messages of Node for a tag that is invalid or missing. */
const invalidTag = /authenticate|authentication tag|initialization vector/i;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'tessera-secrets-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('decrypts what was encrypted, and never encrypts to the same bytes twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, purpose) => {
      const sealed = secrets.encrypt(purpose, plain);
      expect(secrets.decrypt(purpose, sealed)).toBe(plain);
      expect(secrets.encrypt(purpose, plain)).not.toEqual(sealed);
    }),
  );
});

test('encrypts bytes like text', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), (plain, purpose) => {
      const sealed = secrets.encryptBytes(purpose, plain);
      expect(secrets.decryptBytes(purpose, sealed)).toEqual(Buffer.from(plain));
      expect(() => secrets.decryptBytes(`${purpose}.`, sealed)).toThrow(invalidTag);
    }),
  );
});

test('detects one changed, missing or additional byte', () => {
  const sealed = secrets.encrypt('totp', 'JBSWY3DPEHPK3PXP');
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const altered = Buffer.from(sealed);
      altered[at]! ^= change;
      expect(() => secrets.decrypt('totp', altered)).toThrow(invalidTag);
      expect(() => secrets.decrypt('totp', sealed.subarray(0, at))).toThrow(invalidTag);
    }),
  );
  expect(() => secrets.decrypt('totp', Buffer.concat([sealed, Buffer.alloc(1)]))).toThrow(invalidTag);
});

test('refuses a truncated tag', () => {
  const sealed = secrets.encrypt('empty', '');
  expect(secrets.decrypt('empty', sealed)).toBe('');
  for (const tag_bytes of [4, 8, 12, 15])
    expect(() => secrets.decrypt('empty', sealed.subarray(0, 12 + tag_bytes))).toThrow(invalidTag);
});

test('decrypts a secret only for its purpose and with its key', () => {
  const sealed = secrets.encrypt('signing-key:1', 'secret');
  expect(() => secrets.decrypt('signing-key:2', sealed)).toThrow(invalidTag);
  expect(() => createSecrets(Buffer.alloc(32, 2)).decrypt('signing-key:1', sealed)).toThrow(invalidTag);
});

test('derived keys and HMACs depend on the purpose and the master key, and on nothing else', () => {
  const other = createSecrets(Buffer.alloc(32, 1));
  expect(secrets.deriveKey('a').symmetricKeySize).toBe(32);
  expect(secrets.deriveKey('a').equals(other.deriveKey('a'))).toBe(true);
  expect(secrets.deriveKey('a').equals(secrets.deriveKey('b'))).toBe(false);
  expect(secrets.computeHmac('a', 'text')).not.toEqual(secrets.computeHmac('b', 'text'));
  expect(secrets.computeHmac('a', 'text')).not.toEqual(
    createSecrets(Buffer.alloc(32, 2)).computeHmac('a', 'text'),
  );
});

const id = fc.uuid().map((uuid) => uuid.replaceAll('-', ''));

test('ids are encrypted by AES-256 with a key of the purpose and the text, each by itself', () => {
  const encryptIds = secrets.createIdCipher('alias', 'job 1');
  const decipher = createDecipheriv('aes-256-ecb', secrets.computeHmac('alias', 'job 1'), null);
  decipher.setAutoPadding(false);
  fc.assert(
    fc.property(fc.array(id, { maxLength: 20 }), (ids) => {
      const encrypted = encryptIds(ids.join(''));
      expect(decipher.update(encrypted, 'hex', 'hex')).toBe(ids.join(''));
      expect(encrypted).toBe(ids.map((each) => encryptIds(each)).join(''));
    }),
  );
  fc.assert(
    fc.property(id, (each) => {
      const others = [
        secrets.createIdCipher('alias', 'job 2'),
        secrets.createIdCipher('other', 'job 1'),
        createSecrets(Buffer.alloc(32, 2)).createIdCipher('alias', 'job 1'),
      ];
      for (const encryptOther of others) expect(encryptOther(each)).not.toBe(encryptIds(each));
    }),
  );
});

test('refuses to encrypt what is no id, and encrypts the next id like the one before', () => {
  const whole = '0123456789abcdef0123456789abcdef';
  for (const text of ['ab', whole.slice(1), `${whole}ab`, whole.replace('a', 'x')]) {
    const encryptIds = secrets.createIdCipher('alias', 'job 1');
    const expected = encryptIds(whole);
    expect(() => encryptIds(text)).toThrow('32 hexadecimal digits');
    expect(encryptIds(whole)).toBe(expected);
  }
});

test('refuses a master key that is not 32 bytes', () => {
  expect(() => createSecrets(Buffer.alloc(31))).toThrow(/32 bytes/);
});

test('uses the operator’s key and writes nothing', async () => {
  const dataDir = path.join(root, 'configured');
  expect(await loadMasterKey(Buffer.alloc(32, 3), dataDir)).toEqual(Buffer.alloc(32, 3));
  await expect(stat(dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('simultaneous starts generate one key, which all of them read and only the owner can access', async () => {
  const dataDir = path.join(root, 'race');
  const keys = await Promise.all(Array.from({ length: 20 }, () => loadMasterKey(undefined, dataDir)));
  expect(new Set(keys.map((key) => key.toString('base64'))).size).toBe(1);
  expect((await stat(path.join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(['master.key']);
  expect(await loadMasterKey(undefined, dataDir)).toEqual(keys[0]);
});

test('refuses a damaged key file, names it and never replaces it', async () => {
  const file = path.join(await mkdtemp(path.join(root, 'damaged-')), 'master.key');
  await writeFile(file, 'c2hvcnQ=');
  const loading = loadMasterKey(undefined, path.dirname(file));
  await expect(loading).rejects.toBeInstanceOf(ConfigError);
  await expect(loading).rejects.toThrow(/master\.key/);
  expect(await readFile(file, 'utf8')).toBe('c2hvcnQ=');
});
