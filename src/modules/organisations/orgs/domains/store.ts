import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { DomainClaim, DomainProof } from './rules.ts';

/** The domains that an organisation claims, in alphabetical order. */
export function listDomainClaims(db: Reader, org_id: string): Promise<readonly DomainClaim[]> {
  return db.list(sql<DomainClaim>`
    select org_id, domain, challenge, verified_at, verified_by, created_at from organisation_domains
    where org_id = ${org_id} order by domain`);
}

export function findDomainClaim(
  db: Reader,
  { org_id, domain }: Pick<DomainClaim, 'org_id' | 'domain'>,
): Promise<DomainClaim | undefined> {
  return db.find(sql<DomainClaim>`
    select org_id, domain, challenge, verified_at, verified_by, created_at from organisation_domains
    where org_id = ${org_id} and domain = ${domain}`);
}

/** Whether an organisation has proven any domain. */
export async function hasProvenDomain(db: Reader, org_id: string): Promise<boolean> {
  const claim = await db.find(sql<Pick<DomainClaim, 'org_id'>>`
    select org_id from organisation_domains where org_id = ${org_id} and verified_at is not null limit 1`);
  return claim !== undefined;
}

/** Locks the claims of all organisations to a domain, always in the same order, so that two proofs wait for each other. */
export function lockDomainClaims(tx: Transaction, domain: string): Promise<readonly DomainClaim[]> {
  return tx.list(sql<DomainClaim>`
    select org_id, domain, challenge, verified_at, verified_by, created_at from organisation_domains
    where domain = ${domain} order by org_id for update`);
}

/** Locks the claim of the organisation that has proven the domain against the proof of another; undefined if it has not proven it. */
export function lockHeldDomain(
  tx: Transaction,
  { org_id, domain }: Pick<DomainClaim, 'org_id' | 'domain'>,
): Promise<Pick<DomainClaim, 'org_id'> | undefined> {
  return tx.find(sql<Pick<DomainClaim, 'org_id'>>`
    select org_id from organisation_domains where org_id = ${org_id} and domain = ${domain} and verified_at is not null for share`);
}

/** Adds a claim without a proof. An existing claim stays as it is. */
export async function insertDomainClaim(
  tx: Transaction,
  { org_id, domain, challenge, created_at }: Omit<DomainClaim, 'verified_at' | 'verified_by'>,
): Promise<void> {
  await tx.run(sql`
    insert into organisation_domains (org_id, domain, challenge, created_at) values (${org_id}, ${domain}, ${challenge}, ${created_at})
    on conflict (org_id, domain) do nothing`);
}

/** Deletes the claims of an organisation to all other domains than these. */
export async function deleteOtherDomainClaims(
  tx: Transaction,
  org_id: string,
  domains: readonly string[],
): Promise<void> {
  await tx.run(
    sql`delete from organisation_domains where org_id = ${org_id} and not domain = any(${domains})`,
  );
}

/** Records a proof. The caller must hold the locks of all claims to the domain. */
export function markDomainVerified(
  tx: Transaction,
  { org_id, domain, verified_at, verified_by }: Pick<DomainClaim, 'org_id' | 'domain'> & DomainProof,
): Promise<DomainClaim> {
  return tx.one(sql<DomainClaim>`
    update organisation_domains set verified_at = ${verified_at}, verified_by = ${verified_by}
    where org_id = ${org_id} and domain = ${domain}
    returning org_id, domain, challenge, verified_at, verified_by, created_at`);
}

/** Ends a proof, and replaces the challenge. The caller must hold the lock of the claim. */
export async function markDomainLost(
  tx: Transaction,
  { org_id, domain, challenge }: Pick<DomainClaim, 'org_id' | 'domain' | 'challenge'>,
): Promise<void> {
  await tx.run(sql`
    update organisation_domains set verified_at = null, verified_by = null, challenge = ${challenge}
    where org_id = ${org_id} and domain = ${domain}`);
}

/** The claim of the organisation that has proven a domain, or undefined. */
export function findHeldClaim(db: Reader, domain: string): Promise<Pick<DomainClaim, 'org_id'> | undefined> {
  return db.find(sql<Pick<DomainClaim, 'org_id'>>`
    select org_id from organisation_domains where domain = ${domain} and verified_at is not null`);
}

/** The newest claim to a domain, proven or not; undefined if there is none. */
export function findNewestClaim(
  db: Reader,
  domain: string,
): Promise<Pick<DomainClaim, 'org_id'> | undefined> {
  return db.find(sql<Pick<DomainClaim, 'org_id'>>`
    select org_id from organisation_domains where domain = ${domain} order by created_at desc, org_id limit 1`);
}
