import { createPrivateKey, createPublicKey, randomUUID, type KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as jose from 'jose';
import type { Clock } from '#platform/clock.ts';
import { ConfigError } from '#platform/config.ts';
import { findBrokenConstraint, sql, type Database } from '#platform/database/database.ts';
import type { Secrets } from '#platform/security/secrets.ts';

export type Algorithm = 'ES256' | 'RS256';

type KeyRow = {
  readonly kid: string;
  readonly algorithm: Algorithm;
  readonly public_jwk: jose.JWK;
  readonly private_key_sealed: Buffer;
  readonly retired_at: Date | null;
};

/** A key pair in memory. A retired key verifies, but no longer signs. */
export type SigningKey = {
  readonly kid: string;
  readonly algorithm: Algorithm;
  readonly publicJwk: jose.JWK;
  readonly publicKey: jose.CryptoKey;
  readonly privateKey: jose.CryptoKey;
  /** The same pair for node:crypto, whose synchronous functions take a sixth less time than WebCrypto. */
  readonly keyObjects: { readonly public: KeyObject; readonly private: KeyObject };
  readonly isRetired: boolean;
};

/** The service's signing keys. They are stored encrypted in the database, so that all nodes sign and verify with the same keys. */
export type SigningKeys = {
  /** Returns the key that signs at present. */
  selectActive(algorithm: Algorithm): SigningKey;
  /**
   * Finds a key by its kid, including retired keys. For an unknown kid it reads the database, at most once a second, because another node
   * may have created it.
   */
  find(kid: string): Promise<SigningKey | undefined>;
  /** Finds a key by its kid among those that this process knows, including retired keys. */
  findInMemory(kid: string): SigningKey | undefined;
  /** Builds the set of all public keys (RFC 7517), including retired keys, whose signatures must still verify. */
  buildJwks(): { readonly keys: readonly jose.JWK[] };
  /** Retires the active key of an algorithm and creates a new one. Other nodes follow within {@link refresh_ms}. */
  rotate(algorithm: Algorithm): Promise<SigningKey>;
  /** Registers a function that is called whenever the set of keys changes, so that caches of verified tokens can be cleared. */
  onChange(listener: () => void): void;
  close(): void;
};

const algorithms: readonly Algorithm[] = ['ES256', 'RS256'];
/** How often a node reads the keys, to find rotations by other nodes. */
const refresh_ms = 10_000;
/** The shortest time between two reads for unknown kids, so that invented kids cause at most one read a second. */
const between_refreshes_ms = 1_000;

/** Loads the signing keys, and creates the first key of each algorithm that has none. */
export async function openKeys(database: Database, secrets: Secrets, clock: Clock): Promise<SigningKeys> {
  const store = { database, secrets, clock };
  let keys = await loadKeys(store);
  const missing = algorithms.filter((each) => !keys.some((key) => key.algorithm === each && !key.isRetired));
  await Promise.all(missing.map((algorithm) => insertFirstKey(store, algorithm)));
  const listeners: (() => void)[] = [];
  let refreshed_at = 0;
  const refreshKeys = async () => {
    refreshed_at = performance.now();
    const loadedKeys = await loadKeys(store, keys);
    const isChanged = computeFingerprint(loadedKeys) !== computeFingerprint(keys);
    keys = loadedKeys;
    if (isChanged) for (const listener of listeners) listener();
  };
  // The reads run one after the other, because an older result that arrives later would make a retired key active again.
  let lastRefresh = Promise.resolve();
  const reload = () => (lastRefresh = lastRefresh.catch(() => undefined).then(refreshKeys));
  let nextRefresh: Promise<void> | undefined;
  const waitAndReload = async () => {
    await pause(Math.max(0, refreshed_at + between_refreshes_ms - performance.now()), undefined, {
      ref: false,
    });
    nextRefresh = undefined;
    await reload();
  };
  await reload();
  // A failed read needs no handling: the next one follows soon, and meanwhile requests get the database's error.
  const timer = setInterval(() => void reload().catch(() => undefined), refresh_ms).unref();
  const findInMemory = (kid: string) => keys.find((key) => key.kid === kid);
  return {
    selectActive: (algorithm) => keys.find((key) => key.algorithm === algorithm && !key.isRetired)!,
    find: async (kid) => {
      // A token may arrive before its new key is known here. All callers wait for the same read.
      if (!findInMemory(kid)) await (nextRefresh ??= waitAndReload());
      return findInMemory(kid);
    },
    findInMemory,
    buildJwks: () => ({ keys: keys.map(({ publicJwk }) => publicJwk) }),
    rotate: async (algorithm) => {
      await replaceActiveKey(store, algorithm);
      await reload();
      return keys.find((key) => key.algorithm === algorithm && !key.isRetired)!;
    },
    onChange: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  };
}

type Store = { readonly database: Database; readonly secrets: Secrets; readonly clock: Clock };

async function loadKeys(
  { database, secrets }: Store,
  known: readonly SigningKey[] = [],
): Promise<readonly SigningKey[]> {
  const rows = await database.list(sql<KeyRow>`
    select kid, algorithm, public_jwk, private_key_sealed, retired_at from signing_keys order by created_at, kid`);
  return Promise.all(
    rows.map(async (row) => {
      const knownKey = known.find(({ kid }) => kid === row.kid);
      return knownKey ? { ...knownKey, isRetired: row.retired_at !== null } : importKey(row, secrets);
    }),
  );
}

async function importKey(row: KeyRow, secrets: Secrets): Promise<SigningKey> {
  const { kid, algorithm } = row;
  const pkcs8 = unsealPrivateKey(row, secrets);
  return {
    kid,
    algorithm,
    publicJwk: row.public_jwk,
    // jose returns bytes only for symmetric keys.
    publicKey: (await jose.importJWK(row.public_jwk, algorithm)) as jose.CryptoKey,
    privateKey: await jose.importPKCS8(pkcs8, algorithm),
    keyObjects: {
      public: createPublicKey({ key: row.public_jwk, format: 'jwk' }),
      private: createPrivateKey(pkcs8),
    },
    isRetired: row.retired_at !== null,
  };
}

function unsealPrivateKey({ kid, private_key_sealed }: KeyRow, secrets: Secrets): string {
  try {
    return secrets.decrypt(`signing-key:${kid}`, private_key_sealed);
  } catch {
    throw new ConfigError(
      'TESSERA_MASTER_KEY is not the one that this database was created with: its signing keys cannot be decrypted',
    );
  }
}

async function insertFirstKey(store: Store, algorithm: Algorithm): Promise<void> {
  const statement = await buildKeyInsert(store, algorithm);
  await store.database.run(statement).catch((error: unknown) => {
    // Another node has just created the first key. The reload that follows finds it.
    if (findBrokenConstraint(error) !== 'signing_keys_active') throw error;
  });
}

async function replaceActiveKey(store: Store, algorithm: Algorithm): Promise<void> {
  const statement = await buildKeyInsert(store, algorithm);
  await store.database.transaction(async (tx) => {
    // Without the lock, two simultaneous rotations would both retire the same key, and one would fail.
    await tx.run(sql`lock table signing_keys in share row exclusive mode`);
    await tx.run(
      sql`update signing_keys set retired_at = ${store.clock.now()} where algorithm = ${algorithm} and retired_at is null`,
    );
    await tx.run(statement);
  });
}

async function buildKeyInsert({ secrets, clock }: Store, algorithm: Algorithm) {
  const kid = randomUUID();
  const pair = await jose.generateKeyPair(algorithm, { extractable: true, modulusLength: 2048 });
  const publicJwk = { ...(await jose.exportJWK(pair.publicKey)), kid, alg: algorithm, use: 'sig' };
  const sealed = secrets.encrypt(`signing-key:${kid}`, await jose.exportPKCS8(pair.privateKey));
  return sql`
    insert into signing_keys (kid, algorithm, public_jwk, private_key_sealed, created_at)
    values (${kid}, ${algorithm}, ${JSON.stringify(publicJwk)}, ${sealed}, ${clock.now()})`;
}

function computeFingerprint(keys: readonly SigningKey[]): string {
  return keys.map(({ kid, isRetired }) => `${kid}${isRetired}`).join();
}
