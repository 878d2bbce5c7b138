import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { FitPolicy } from './rules.ts';

/** A version with what it was made from. */
export type StoredPolicy = FitPolicy & {
  readonly parent: number | null;
  readonly created_at: Date;
  readonly trained_on: Readonly<Record<string, unknown>>;
};

/** When a version came into use, and how. */
export type PolicyUse = {
  readonly number: number;
  readonly version: number;
  readonly action: 'start' | 'promote' | 'rollback';
  readonly used_at: Date;
};

const columns = sql`version, parent, created_at, multipliers, trained_on`;

/** Finds the version that matching uses, and since when. */
export function findLivePolicy(db: Reader): Promise<StoredPolicy & Pick<PolicyUse, 'used_at'>> {
  return db.one(sql<StoredPolicy & Pick<PolicyUse, 'used_at'>>`
    select ${columns}, used_at from fit_policies
      join (select version as live, used_at from fit_policy_uses order by number desc limit 1) as uses on live = version`);
}

/** Finds a version. */
export function findPolicy(db: Reader, version: number): Promise<StoredPolicy | undefined> {
  return db.find(sql<StoredPolicy>`select ${columns} from fit_policies where version = ${version}`);
}

/** Lists the newest versions, the newest first. */
export function listPolicies(db: Reader, limit: number): Promise<StoredPolicy[]> {
  return db.list(sql<StoredPolicy>`
    select ${columns} from fit_policies order by version desc limit ${limit}`);
}

/** Lists the latest changes of the version in use, the latest first. */
export function listUses(db: Reader, limit: number): Promise<PolicyUse[]> {
  return db.list(sql<PolicyUse>`
    select number, version, action, used_at from fit_policy_uses order by number desc limit ${limit}`);
}

/** Makes other changes of policies wait until the transaction ends. */
export async function lockPolicies(tx: Transaction): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('matching.policies', 0))`);
}

/** Adds a version with the next number. Lock the policies first. */
export function insertPolicy(
  tx: Transaction,
  { parent, multipliers, trained_on, created_at }: Omit<StoredPolicy, 'version'>,
): Promise<StoredPolicy> {
  return tx.one(sql<StoredPolicy>`
    insert into fit_policies (version, parent, created_at, multipliers, trained_on)
    select max(version) + 1, ${parent}, ${created_at}, ${JSON.stringify(multipliers)}, ${JSON.stringify(trained_on)}
    from fit_policies returning ${columns}`);
}

/** Puts a version into use. Lock the policies first. */
export async function insertUse(
  tx: Transaction,
  { version, action, used_at }: Omit<PolicyUse, 'number'>,
): Promise<void> {
  await tx.run(sql`
    insert into fit_policy_uses (number, version, action, used_at)
    select max(number) + 1, ${version}, ${action}, ${used_at} from fit_policy_uses`);
}
