import type { ContinuousTrait } from '#modules/measurement/traits';
import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Stub, TraitEvidence } from './rules.ts';

/** Adds an unclaimed stub. */
export async function insertStub(
  tx: Transaction,
  {
    member_id,
    code_hash,
    created_at,
  }: Pick<Stub, 'member_id' | 'created_at'> & { readonly code_hash: Buffer },
): Promise<void> {
  await tx.run(sql`
    insert into identity_stubs (member_id, code_hash, status, created_at)
    values (${member_id}, ${code_hash}, 'unclaimed', ${created_at})`);
}

/** Finds the stub with a claim code. */
export function findStub(db: Reader, code_hash: Buffer): Promise<Stub | undefined> {
  return db.find(
    sql<Stub>`select member_id, status, created_at from identity_stubs where code_hash = ${code_hash}`,
  );
}

/** Locks the stub with a claim code: of several claims at the same time, the first one succeeds. */
export function lockStub(tx: Transaction, code_hash: Buffer): Promise<Stub | undefined> {
  return tx.find(sql<Stub>`
    select member_id, status, created_at from identity_stubs where code_hash = ${code_hash} for update`);
}

/** Locks at most `limit` unclaimed stubs that were created before a time. Those that somebody is claiming are left out. */
export async function lockOldStubs(tx: Transaction, before: Date, limit: number): Promise<readonly string[]> {
  const rows = await tx.list(sql<{ member_id: string }>`
    select member_id from identity_stubs where status = 'unclaimed' and created_at < ${before}
    order by created_at limit ${limit} for update skip locked`);
  return rows.map(({ member_id }) => member_id);
}

/** Records that the stub has an owner. */
export async function claimStub(tx: Transaction, member_id: string, now: Date): Promise<void> {
  await tx.run(sql`
    update identity_stubs set status = 'claimed', claimed_at = ${now} where member_id = ${member_id}`);
}

/** Adds evidence about traits to what is stored. The caller holds the lock of the stub. */
export async function addEvidence(
  tx: Transaction,
  member_id: string,
  evidence: readonly TraitEvidence[],
): Promise<void> {
  await tx.run(sql`
    insert into stub_observations as kept (member_id, trait_code, observation_count, weight, weighted_sum)
    select ${member_id}::uuid, * from unnest(
      ${evidence.map(({ trait }) => trait)}::text[], ${evidence.map(({ count }) => count)}::integer[],
      ${evidence.map(({ weight }) => weight)}::double precision[], ${evidence.map(({ weighted_sum }) => weighted_sum)}::double precision[])
    on conflict (member_id, trait_code) do update set
      observation_count = kept.observation_count + excluded.observation_count,
      weight = kept.weight + excluded.weight, weighted_sum = kept.weighted_sum + excluded.weighted_sum`);
}

/** Lists what is known about the traits of a stub. */
export function listEvidence(db: Reader, member_id: string): Promise<TraitEvidence[]> {
  return db.list(sql<TraitEvidence & { readonly trait: ContinuousTrait }>`
    select trait_code as trait, observation_count as count, weight, weighted_sum from stub_observations
    where member_id = ${member_id} order by trait_code`);
}

type Rows = Readonly<Record<string, unknown>>[];

/** Lists when the stub of a member was created and claimed, without the code. */
export function listStubRows(db: Reader, member_id: string): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select status, created_at, claimed_at from identity_stubs where member_id = ${member_id}`);
}

/** Deletes the stub of a member and what was observed. */
export async function deleteAllOfMember(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from stub_observations where member_id = ${member_id}`);
  await tx.run(sql`delete from identity_stubs where member_id = ${member_id}`);
}
