import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  randomUUID,
  type KeyObject,
} from 'node:crypto';
import { link, mkdir, open as openFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '#platform/config.ts';

/** The functions that use the master key. Without it, secrets in the database cannot be read and cursors cannot be forged. */
export type Secrets = {
  /** Encrypts with AES-256-GCM and a random nonce. `purpose` is authenticated, so that a secret cannot be used in another place. */
  encrypt(purpose: string, plain: string): Buffer;
  /** @throws Error if the ciphertext was altered, or encrypted for another purpose or with another master key. */
  decrypt(purpose: string, sealed: Buffer): string;
  /** Encrypts bytes, like {@link Secrets.encrypt}. */
  encryptBytes(purpose: string, plain: Uint8Array): Buffer;
  /** Decrypts what {@link Secrets.encryptBytes} has encrypted. @throws Error like {@link Secrets.decrypt}. */
  decryptBytes(purpose: string, sealed: Buffer): Buffer;
  /** Computes an HMAC-SHA256 with a key derived for `purpose`, to look up secrets without storing them. */
  computeHmac(purpose: string, text: string): Buffer;
  /**
   * Creates a function that encrypts ids, given as hexadecimal digits one after the other, with AES-256 and the HMAC of `text` for `purpose` as
   * the key. Each id is one block that is encrypted by itself, so that the same id always has the same result, and different ids have results
   * that nobody without the master key can tell from random bytes. Not for anything that is longer than a block.
   */
  createIdCipher(purpose: string, text: string): (ids: string) => string;
  /** Derives a 32-byte key for `purpose` (HKDF-SHA256, RFC 5869). */
  deriveKey(purpose: string): KeyObject;
};

const nonce_bytes = 12;
const tag_bytes = 16;
const id_bytes = 16;

/** Creates the functions for one 32-byte master key. */
export function createSecrets(masterKey: Buffer): Secrets {
  if (masterKey.length !== 32) throw new Error('the master key must be 32 bytes');
  const derived = new Map<string, KeyObject>();
  const deriveKey = (purpose: string) => {
    const known = derived.get(purpose);
    if (known) return known;
    const bytes = hkdfSync('sha256', masterKey, Buffer.alloc(0), `tessera:${purpose}`, 32);
    // With bytes instead of a KeyObject, Node first catches an internal error, which takes four times as long as the HMAC.
    const key = createSecretKey(Buffer.from(bytes));
    derived.set(purpose, key);
    return key;
  };
  const computeHmac = (purpose: string, text: string) =>
    createHmac('sha256', deriveKey(`hmac:${purpose}`))
      .update(text)
      .digest();
  return {
    deriveKey,
    computeHmac,
    createIdCipher: (purpose, text) => createIdCipher(createSecretKey(computeHmac(purpose, text))),
    encrypt: (purpose, plain) => sealBytes(deriveKey('encrypt'), purpose, Buffer.from(plain)),
    decrypt: (purpose, sealed) => unsealBytes(deriveKey('encrypt'), purpose, sealed).toString('utf8'),
    encryptBytes: (purpose, plain) => sealBytes(deriveKey('encrypt'), purpose, plain),
    decryptBytes: (purpose, sealed) => unsealBytes(deriveKey('encrypt'), purpose, sealed),
  };
}

/** Returns the operator's master key, or the one in `<dataDir>/master.key` (mode 0600), which is generated once. */
export async function loadMasterKey(configured: Buffer | undefined, dataDir: string): Promise<Buffer> {
  if (configured) return configured;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, 'master.key');
  const text = (await readFileIfPresent(file)) ?? (await generateMasterKey(dataDir, file));
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new ConfigError(`${file} must contain 32 bytes in base64`);
  return key;
}

/**
 * Generates a key and writes it to the disk before the file gets its name. So a killed start leaves either no key or a complete one, and two
 * simultaneous starts read the same key. Secrets that are encrypted with a key that a power cut destroys could never be decrypted.
 */
async function generateMasterKey(dataDir: string, file: string): Promise<string> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, file).catch(ignoreExisting);
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dataDir);
  return readFile(file, 'utf8');
}

async function syncDirectory(directory: string): Promise<void> {
  await using handle = await openFile(directory);
  await handle.sync();
}

async function readFileIfPresent(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  });
}

function createIdCipher(key: KeyObject): (ids: string) => string {
  // The mode is ECB because an id is one block, for which all modes without a nonce are the same.
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  return (ids) => {
    const bytes = Buffer.from(ids, 'hex');
    // The cipher would keep a part of a block, and begin the next id with it.
    if (bytes.length % id_bytes !== 0 || 2 * bytes.length !== ids.length)
      throw new Error('an id to be encrypted must have 32 hexadecimal digits');
    return cipher.update(bytes).toString('hex');
  };
}

function sealBytes(key: KeyObject, purpose: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(nonce_bytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  const parts = [cipher.update(plain), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...parts]);
}

function unsealBytes(key: KeyObject, purpose: string, sealed: Buffer): Buffer {
  // Without an explicit length, a tag that was cut to four bytes would be accepted.
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonce_bytes), {
    authTagLength: tag_bytes,
  })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(sealed.subarray(nonce_bytes, nonce_bytes + tag_bytes));
  const parts = [decipher.update(sealed.subarray(nonce_bytes + tag_bytes)), decipher.final()];
  return Buffer.concat(parts);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
