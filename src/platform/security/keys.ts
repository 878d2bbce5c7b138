import * as jose from 'jose';
import { createPrivateKey, createPublicKey, randomUUID, type KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
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

/** A key pair in memory: what signs, what verifies, and whether it still signs. */
export type SigningKey = {
  readonly kid: string;
  readonly algorithm: Algorithm;
  readonly publicJwk: jose.JWK;
  readonly publicKey: jose.CryptoKey;
  readonly privateKey: jose.CryptoKey;
  /** The same pair for node:crypto, whose synchronous calls cost a sixth less than WebCrypto's. */
  readonly keyObjects: { readonly public: KeyObject; readonly private: KeyObject };
  readonly isRetired: boolean;
};

/** The service's signing keys: stored sealed in the database, so that every node signs and verifies with the same ones. */
export type SigningKeys = {
  /** The key that signs now. */
  selectActive(algorithm: Algorithm): SigningKey;
  /** The key of a kid, also a retired one; looks into the database, at most once a second, for a kid that another node may have made. */
  find(kid: string): Promise<SigningKey | undefined>;
  /** The key of a kid as this process knows it now, also a retired one. */
  findInMemory(kid: string): SigningKey | undefined;
  /** All public keys (RFC 7517), retired ones too: what they signed must verify. */
  buildJwks(): { readonly keys: readonly jose.JWK[] };
  /** Retires the active key of an algorithm and makes a new one; other nodes follow within {@link refresh_ms}. */
  rotate(algorithm: Algorithm): Promise<SigningKey>;
  /** Told whenever the set of keys changes, so that caches of verified tokens can be emptied. */
  onChange(listener: () => void): void;
  close(): void;
};

const algorithms: readonly Algorithm[] = ['ES256', 'RS256'];
/** How often a node looks for keys that other nodes rotated in. */
const refresh_ms = 10_000;
/** How long after a look an unknown kid waits for the next one: made-up kids cost the database one look a second. */
const between_refreshes_ms = 1_000;

/** Loads the signing keys, making the first of each algorithm where there is none. */
export async function openKeys(database: Database, secrets: Secrets, clock: Clock): Promise<SigningKeys> {
  const store = { database, secrets, clock };
  let keys = await loadKeys(store);
  const missing = algorithms.filter((each) => !keys.some((key) => key.algorithm === each && !key.isRetired));
  await Promise.all(missing.map((algorithm) => insertFirstKey(store, algorithm)));
  const listeners: (() => void)[] = [];
  let refreshed_at = 0;
  const refreshKeys = async () => {
    refreshed_at = performance.now();
    const fresh = await loadKeys(store, keys);
    const changed = computeFingerprint(fresh) !== computeFingerprint(keys);
    keys = fresh;
    if (changed) for (const listener of listeners) listener();
  };
  // One look after the other: an older answer that came later would bring a retired key back.
  let last = Promise.resolve();
  const reload = () => (last = last.catch(() => undefined).then(refreshKeys));
  let nextRefresh: Promise<void> | undefined;
  const waitAndReload = async () => {
    await pause(Math.max(0, refreshed_at + between_refreshes_ms - performance.now()), undefined, {
      ref: false,
    });
    nextRefresh = undefined;
    await reload();
  };
  await reload();
  // A failed look is not lost: the next one follows, and requests meet the database's own error meanwhile.
  const timer = setInterval(() => void reload().catch(() => undefined), refresh_ms).unref();
  const findInMemory = (kid: string) => keys.find((key) => key.kid === kid);
  return {
    selectActive: (algorithm) => keys.find((key) => key.algorithm === algorithm && !key.isRetired)!,
    find: async (kid) => {
      // Everybody who asks meanwhile waits for the same look: a token of a new key may come before the key is known here.
      if (!findInMemory(kid)) await (nextRefresh ??= waitAndReload());
      return findInMemory(kid);
    },
    findInMemory: findInMemory,
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
      const same = known.find(({ kid }) => kid === row.kid);
      const retired = row.retired_at !== null;
      return same ? { ...same, isRetired: retired } : importKey(row, secrets);
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
      'TESSERA_MASTER_KEY is not the one that this database was made with: its signing keys cannot be opened',
    );
  }
}

async function insertFirstKey(store: Store, algorithm: Algorithm): Promise<void> {
  const statement = await buildKeyInsert(store, algorithm);
  await store.database.run(statement).catch((error: unknown) => {
    // Another node made the first key a moment earlier; the reload that follows finds it.
    if (findBrokenConstraint(error) !== 'signing_keys_active') throw error;
  });
}

async function replaceActiveKey(store: Store, algorithm: Algorithm): Promise<void> {
  const statement = await buildKeyInsert(store, algorithm);
  await store.database.transaction(async (tx) => {
    // Two that rotate at once would both retire the same key, and one would fail.
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
  return keys.map(({ kid, isRetired: retired }) => `${kid}${retired}`).join();
}
