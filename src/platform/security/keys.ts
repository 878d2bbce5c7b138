import { createPrivateKey, createPublicKey, randomUUID, type KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as jose from 'jose';
import type { Clock } from '#platform/clock.ts';
import { ConfigError } from '#platform/config.ts';
import { findBrokenConstraint, sql, type Database, type Transaction } from '#platform/database/database.ts';
import type { Secrets } from '#platform/security/secrets.ts';

export type Algorithm = 'ES256' | 'RS256';

/** What a key signs. A key of one purpose never verifies anything of the other. */
export type KeyPurpose = 'access_token' | 'credential';

type KeyRow = {
  readonly kid: string;
  readonly purpose: KeyPurpose;
  readonly algorithm: Algorithm;
  readonly public_jwk: jose.JWK;
  readonly private_key_sealed: Buffer;
  readonly created_at: Date;
  readonly retired_at: Date | null;
  readonly revoked_at: Date | null;
};

/** A key pair in memory, with its state. */
export type SigningKey = {
  readonly kid: string;
  readonly purpose: KeyPurpose;
  readonly algorithm: Algorithm;
  readonly publicJwk: jose.JWK;
  readonly publicKey: jose.CryptoKey;
  readonly privateKey: jose.CryptoKey;
  /** The same pair for node:crypto, whose synchronous functions take a sixth less time than WebCrypto. */
  readonly keyObjects: { readonly public: KeyObject; readonly private: KeyObject };
  readonly created_at: Date;
  /** When a newer key replaced it; null while it signs. */
  readonly retired_at: Date | null;
  /** When the operator declared it compromised, or null. Nothing that a revoked key signed may be accepted. A revoked key is also retired. */
  readonly revoked_at: Date | null;
};

/** The service's signing keys, stored encrypted in the database, so that every node signs and verifies with the same ones. */
export type SigningKeys = {
  /** The key that signs now. Credentials are always signed with ES256. */
  selectActive(purpose: KeyPurpose, algorithm?: Algorithm): SigningKey;
  /**
   * The key with an id and a purpose, in any state: the caller must refuse a revoked one. An unknown id, which another node may have
   * created, is looked up in the database, at most once a second.
   */
  find(purpose: KeyPurpose, kid: string): Promise<SigningKey | undefined>;
  /** The key with an id and a purpose as this process knows it now, in any state. */
  findInMemory(purpose: KeyPurpose, kid: string): SigningKey | undefined;
  /** All keys in any state, oldest first. */
  list(): readonly SigningKey[];
  /** Retires the active key and creates a new one. Other nodes follow within {@link refresh_ms}. */
  rotate(purpose: KeyPurpose, algorithm?: Algorithm): Promise<SigningKey>;
  /** Rotates the keys of all kinds in one transaction, in which `record` writes too: if it throws, no key changes. */
  rotateAll(record: (tx: Transaction, created: readonly NewKey[]) => Promise<void>): Promise<void>;
  /**
   * Declares a key compromised, and replaces it if it is the active one. Other nodes follow within {@link refresh_ms}. Revoking a key
   * again changes nothing. `record` writes in the same transaction: if it throws, the key is not revoked.
   *
   * @returns the revoked key and the active key of its kind; undefined if the key does not exist.
   */
  revoke(
    kid: string,
    record?: (tx: Transaction, revoked: RevokedKey) => Promise<void>,
  ): Promise<{ readonly revoked: SigningKey; readonly active: SigningKey } | undefined>;
  /** Registers a listener that is called whenever the set of keys changes, so that caches of verified tokens can be emptied. */
  onChange(listener: () => void): void;
  close(): void;
};

/** A purpose and an algorithm; one key of each kind is active. */
type KeyKind = Pick<SigningKey, 'purpose' | 'algorithm'>;

/** The id of a key that a rotation creates, and what it signs. */
export type NewKey = KeyKind & { readonly kid: string };

/** What a revocation changes: the revoked key, and the id of the key that signs in its place. */
export type RevokedKey = KeyKind & { readonly kid: string; readonly active_kid: string };

/** Access tokens have keys of both algorithms, because the operator may select either one. */
export const keyKinds: readonly KeyKind[] = [
  { purpose: 'access_token', algorithm: 'ES256' },
  { purpose: 'access_token', algorithm: 'RS256' },
  { purpose: 'credential', algorithm: 'ES256' },
];

/** How often a node reads the keys, to find rotations and revocations by other nodes. */
export const refresh_ms = 10_000;
/** The shortest time between two reads for unknown kids, so that invented kids cause at most one read a second. */
const between_refreshes_ms = 1_000;

/** Loads the signing keys, and creates the first key of each kind that has none. */
export async function openKeys(database: Database, secrets: Secrets, clock: Clock): Promise<SigningKeys> {
  const store = { database, secrets, clock };
  let keys = await loadKeys(store);
  const missing = keyKinds.filter((kind) => !keys.some((key) => isActive(key, kind)));
  await Promise.all(missing.map((kind) => insertFirstKey(store, kind)));
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
  const findByKid = (kid: string) => keys.find((key) => key.kid === kid);
  const findInMemory = (purpose: KeyPurpose, kid: string) => {
    const key = findByKid(kid);
    return key?.purpose === purpose ? key : undefined;
  };
  const selectActive = (purpose: KeyPurpose, algorithm: Algorithm = 'ES256') => {
    const active = keys.find((key) => isActive(key, { purpose, algorithm }));
    if (!active) throw new Error(`no active ${algorithm} key signs for the purpose ${purpose}`);
    return active;
  };
  return {
    selectActive,
    find: async (purpose, kid) => {
      // A token may arrive before its new key is known here. All callers wait for the same read.
      if (!findByKid(kid)) await (nextRefresh ??= waitAndReload());
      return findInMemory(purpose, kid);
    },
    findInMemory,
    list: () => keys,
    rotate: async (purpose, algorithm = 'ES256') => {
      await replaceActiveKeys(store, [{ purpose, algorithm }]);
      await reload();
      return selectActive(purpose, algorithm);
    },
    rotateAll: async (record) => {
      await replaceActiveKeys(store, keyKinds, record);
      await reload();
    },
    revoke: async (kid, record) => {
      await reload();
      const key = findByKid(kid);
      if (!key) return undefined;
      await revokeKey(store, key, record);
      await reload();
      return { revoked: findByKid(kid)!, active: selectActive(key.purpose, key.algorithm) };
    },
    onChange: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  };
}

function isActive(key: SigningKey, { purpose, algorithm }: KeyKind): boolean {
  return key.purpose === purpose && key.algorithm === algorithm && key.retired_at === null;
}

type Store = { readonly database: Database; readonly secrets: Secrets; readonly clock: Clock };

async function loadKeys(
  { database, secrets }: Store,
  known: readonly SigningKey[] = [],
): Promise<readonly SigningKey[]> {
  const rows = await database.list(sql<KeyRow>`
    select kid, purpose, algorithm, public_jwk, private_key_sealed, created_at, retired_at, revoked_at
    from signing_keys order by created_at, kid`);
  return Promise.all(
    rows.map(async (row) => {
      const knownKey = known.find(({ kid }) => kid === row.kid);
      const { retired_at, revoked_at } = row;
      return knownKey ? { ...knownKey, retired_at, revoked_at } : importKey(row, secrets);
    }),
  );
}

async function importKey(row: KeyRow, secrets: Secrets): Promise<SigningKey> {
  const { kid, purpose, algorithm, created_at, retired_at, revoked_at } = row;
  const pkcs8 = unsealPrivateKey(row, secrets);
  return {
    kid,
    purpose,
    algorithm,
    publicJwk: row.public_jwk,
    // jose returns bytes only for symmetric keys.
    publicKey: (await jose.importJWK(row.public_jwk, algorithm)) as jose.CryptoKey,
    privateKey: await jose.importPKCS8(pkcs8, algorithm),
    keyObjects: {
      public: createPublicKey({ key: row.public_jwk, format: 'jwk' }),
      private: createPrivateKey(pkcs8),
    },
    created_at,
    retired_at,
    revoked_at,
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

async function insertFirstKey(store: Store, kind: KeyKind): Promise<void> {
  const { statement } = await prepareKey(store, kind);
  await store.database.run(statement).catch((error: unknown) => {
    // Another node has just created the first key. The reload that follows finds it.
    if (findBrokenConstraint(error) !== 'signing_keys_active') throw error;
  });
}

async function replaceActiveKeys(
  store: Store,
  kinds: readonly KeyKind[],
  record?: (tx: Transaction, created: readonly NewKey[]) => Promise<void>,
): Promise<void> {
  const prepared = await Promise.all(kinds.map((kind) => prepareKey(store, kind)));
  await store.database.transaction(async (tx) => {
    await lockKeys(tx);
    for (const { created, statement } of prepared) {
      await tx.run(sql`
        update signing_keys set retired_at = ${store.clock.now()}
        where purpose = ${created.purpose} and algorithm = ${created.algorithm} and retired_at is null`);
      await tx.run(statement);
    }
    await record?.(
      tx,
      prepared.map(({ created }) => created),
    );
  });
}

/** Marks a key as revoked, and creates its successor if it was still active. */
async function revokeKey(
  store: Store,
  { kid, purpose, algorithm }: SigningKey,
  record?: (tx: Transaction, revoked: RevokedKey) => Promise<void>,
): Promise<void> {
  const now = store.clock.now();
  const { statement } = await prepareKey(store, { purpose, algorithm });
  await store.database.transaction(async (tx) => {
    await lockKeys(tx);
    const wasActive = await tx.run(
      sql`update signing_keys set retired_at = ${now} where kid = ${kid} and retired_at is null`,
    );
    await tx.run(sql`update signing_keys set revoked_at = ${now} where kid = ${kid} and revoked_at is null`);
    if (wasActive > 0) await tx.run(statement);
    const active = await tx.one(sql<{ kid: string }>`
      select kid from signing_keys
      where purpose = ${purpose} and algorithm = ${algorithm} and retired_at is null`);
    await record?.(tx, { kid, purpose, algorithm, active_kid: active.kid });
  });
}

/** Without the lock, two simultaneous rotations would both retire the same key, and one would fail. */
async function lockKeys(tx: Transaction): Promise<void> {
  await tx.run(sql`lock table signing_keys in share row exclusive mode`);
}

/** Generates a key pair, and the statement that stores it. */
async function prepareKey({ secrets, clock }: Store, { purpose, algorithm }: KeyKind) {
  const kid = randomUUID();
  const pair = await jose.generateKeyPair(algorithm, { extractable: true, modulusLength: 2048 });
  const publicJwk = { ...(await jose.exportJWK(pair.publicKey)), kid, alg: algorithm, use: 'sig' };
  const sealed = secrets.encrypt(`signing-key:${kid}`, await jose.exportPKCS8(pair.privateKey));
  const created: NewKey = { kid, purpose, algorithm };
  const statement = sql`
    insert into signing_keys (kid, purpose, algorithm, public_jwk, private_key_sealed, created_at)
    values (${kid}, ${purpose}, ${algorithm}, ${JSON.stringify(publicJwk)}, ${sealed}, ${clock.now()})`;
  return { created, statement };
}

function computeFingerprint(keys: readonly SigningKey[]): string {
  return keys
    .map(({ kid, retired_at, revoked_at }) => `${kid} ${retired_at !== null} ${revoked_at !== null}`)
    .join();
}
