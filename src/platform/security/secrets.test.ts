import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '#platform/config.ts';
import { loadMasterKey, createSecrets } from './secrets.ts';

const secrets = createSecrets(Buffer.alloc(32, 1));

/** How Node says that a tag does not fit, or that there is none. */
const unopened = /authenticate|authentication tag|initialization vector/i;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'tessera-secrets-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('what was encrypted comes back, and never looks the same twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, purpose) => {
      const sealed = secrets.encrypt(purpose, plain);
      expect(secrets.decrypt(purpose, sealed)).toBe(plain);
      expect(secrets.encrypt(purpose, plain)).not.toEqual(sealed);
    }),
  );
});

test('one changed, missing or added byte is noticed', () => {
  const sealed = secrets.encrypt('totp', 'JBSWY3DPEHPK3PXP');
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const altered = Buffer.from(sealed);
      altered[at]! ^= change;
      expect(() => secrets.decrypt('totp', altered)).toThrow(unopened);
      expect(() => secrets.decrypt('totp', sealed.subarray(0, at))).toThrow(unopened);
    }),
  );
  expect(() => secrets.decrypt('totp', Buffer.concat([sealed, Buffer.alloc(1)]))).toThrow(unopened);
});

test('a tag that was cut short is refused, although its bytes are right', () => {
  const sealed = secrets.encrypt('empty', '');
  expect(secrets.decrypt('empty', sealed)).toBe('');
  for (const tag_bytes of [4, 8, 12, 15])
    expect(() => secrets.decrypt('empty', sealed.subarray(0, 12 + tag_bytes))).toThrow(unopened);
});

test('a secret opens for its own purpose and under its own key only', () => {
  const sealed = secrets.encrypt('signing-key:1', 'secret');
  expect(() => secrets.decrypt('signing-key:2', sealed)).toThrow(unopened);
  expect(() => createSecrets(Buffer.alloc(32, 2)).decrypt('signing-key:1', sealed)).toThrow(unopened);
});

test('derived keys and codes differ by purpose and by master key, and are the same in every process', () => {
  const other = createSecrets(Buffer.alloc(32, 1));
  expect(secrets.deriveKey('a').symmetricKeySize).toBe(32);
  expect(secrets.deriveKey('a').equals(other.deriveKey('a'))).toBe(true);
  expect(secrets.deriveKey('a').equals(secrets.deriveKey('b'))).toBe(false);
  expect(secrets.computeHmac('a', 'text')).not.toEqual(secrets.computeHmac('b', 'text'));
  expect(secrets.computeHmac('a', 'text')).not.toEqual(
    createSecrets(Buffer.alloc(32, 2)).computeHmac('a', 'text'),
  );
});

test('a master key that is not 32 bytes is no key', () => {
  expect(() => createSecrets(Buffer.alloc(31))).toThrow(/32 bytes/);
});

test('the operator’s key is taken as it is, and nothing is written', async () => {
  const dataDir = path.join(root, 'configured');
  expect(await loadMasterKey(Buffer.alloc(32, 3), dataDir)).toEqual(Buffer.alloc(32, 3));
  await expect(stat(dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('of many that start at once one makes the key, all read it, and only its owner may', async () => {
  const dataDir = path.join(root, 'raced');
  const keys = await Promise.all(Array.from({ length: 20 }, () => loadMasterKey(undefined, dataDir)));
  expect(new Set(keys.map((key) => key.toString('base64'))).size).toBe(1);
  expect((await stat(path.join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(['master.key']);
  expect(await loadMasterKey(undefined, dataDir)).toEqual(keys[0]);
});

test('a key file that is damaged is refused by name, and never replaced', async () => {
  const file = path.join(await mkdtemp(path.join(root, 'damaged-')), 'master.key');
  await writeFile(file, 'c2hvcnQ=');
  const refused = loadMasterKey(undefined, path.dirname(file));
  await expect(refused).rejects.toBeInstanceOf(ConfigError);
  await expect(refused).rejects.toThrow(/master\.key/);
  expect(await readFile(file, 'utf8')).toBe('c2hvcnQ=');
});
