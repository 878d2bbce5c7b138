import { emptySql, sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Offer, OfferState, OfferStatus } from './rules.ts';

const columns = sql`
  id, member_id, org_id, match_id, credential_type, attestation_tier, about, claims, expiry_days, state, opens_at, closes_at, created_at,
  ended_at, reason, credential_id, external_ref, metadata`;

/** Inserts an offer. @returns false if the same is offered already and can still be accepted. */
export async function insertOffer(tx: Transaction, offer: Offer): Promise<boolean> {
  const { id, member_id, org_id, match_id, credential_type, attestation_tier, about, claims } = offer;
  const { expiry_days, state, opens_at, closes_at, created_at, external_ref, metadata } = offer;
  const inserted = await tx.run(sql`
    insert into credential_offers (id, member_id, org_id, match_id, credential_type, attestation_tier, about, claims, expiry_days, state,
      opens_at, closes_at, created_at, external_ref, metadata)
    values (${id}, ${member_id}, ${org_id}, ${match_id}, ${credential_type}, ${attestation_tier}, ${about}, ${JSON.stringify(claims)}::jsonb,
      ${expiry_days}, ${state}, ${opens_at}, ${closes_at}, ${created_at}, ${external_ref}, ${JSON.stringify(metadata)}::jsonb)
    on conflict (member_id, about) where state in ('waiting', 'open') do nothing`);
  return inserted > 0;
}

export type OfferKey = Pick<Offer, 'id' | 'member_id'>;

/** Finds an offer to a member, whichever state it has. */
export function findMemberOffer(db: Reader, { id, member_id }: OfferKey): Promise<Offer | undefined> {
  return db.find(
    sql<Offer>`select ${columns} from credential_offers where member_id = ${member_id} and id = ${id}`,
  );
}

export function lockOffer(tx: Transaction, { id, member_id }: OfferKey): Promise<Offer | undefined> {
  return tx.find(
    sql<Offer>`select ${columns} from credential_offers where member_id = ${member_id} and id = ${id} for update`,
  );
}

/** Locks the newest offer of the same to a member, and one that can still be accepted before all others. */
export function lockLatestOffer(
  tx: Transaction,
  { member_id, about }: Pick<Offer, 'member_id' | 'about'>,
): Promise<Offer | undefined> {
  return tx.find(sql<Offer>`
    select ${columns} from credential_offers where member_id = ${member_id} and about = ${about}
    order by state in ('waiting', 'open') desc, created_at desc, id desc limit 1 for update`);
}

/** Locks the offers to a member that can still be accepted: of the service, or about a match. */
export function lockLiveOffers(
  tx: Transaction,
  { member_id, match_id }: Pick<Offer, 'member_id' | 'match_id'>,
): Promise<Offer[]> {
  const basis = match_id === null ? sql`org_id is null` : sql`match_id = ${match_id}`;
  return tx.list(sql<Offer>`
    select ${columns} from credential_offers where member_id = ${member_id} and ${basis} and state in ('waiting', 'open')
    order by id for update`);
}

/** Stores that an offer is open, with what it says then. */
export async function openStoredOffer(
  tx: Transaction,
  { id, member_id, claims, closes_at }: Pick<Offer, 'id' | 'member_id' | 'claims' | 'closes_at'>,
): Promise<void> {
  await tx.run(sql`
    update credential_offers set state = 'open', claims = ${JSON.stringify(claims)}::jsonb, closes_at = ${closes_at}
    where member_id = ${member_id} and id = ${id}`);
}

export type OfferEnd = {
  readonly state: Exclude<OfferState, 'waiting' | 'open'>;
  readonly ended_at: Date;
  readonly reason: string | null;
  readonly credential_id: string | null;
};

/** Stores how an offer has ended. */
export async function endStoredOffer(
  tx: Transaction,
  { id, member_id }: OfferKey,
  { state, ended_at, reason, credential_id }: OfferEnd,
): Promise<void> {
  await tx.run(sql`
    update credential_offers set state = ${state}, ended_at = ${ended_at}, reason = ${reason}, credential_id = ${credential_id}
    where member_id = ${member_id} and id = ${id}`);
}

/** The position of an offer in a list: when it was made (ISO 8601), and its id. */
export type OfferPlace = readonly [created_at: string, id: string];

/** Whose offers are listed: those to a member, or those of an organisation. */
export type OfferFilter = {
  readonly owner: { readonly member_id: string } | { readonly org_id: string };
  readonly status: OfferStatus | undefined;
  readonly external_ref?: string | undefined;
};

/** Offers, newest first. */
export function listOffers(
  db: Reader,
  filter: OfferFilter,
  now: Date,
  after: OfferPlace | undefined,
  limit: number,
): Promise<Offer[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<Offer>`
    select ${columns} from credential_offers where ${buildCondition(filter, now)} ${from}
    order by created_at desc, id desc limit ${limit}`);
}

export function countOffers(db: Reader, filter: OfferFilter, now: Date): Promise<number> {
  return db.count(
    sql<{ count: number }>`select count(*) from credential_offers where ${buildCondition(filter, now)}`,
  );
}

/** Selects by the same rule as `computeOfferStatus`. */
function buildCondition({ owner, status, external_ref }: OfferFilter, now: Date) {
  const ofProgram = external_ref === undefined ? emptySql : sql`and external_ref = ${external_ref}`;
  const ofOwner =
    'member_id' in owner ? sql`member_id = ${owner.member_id}` : sql`org_id = ${owner.org_id} ${ofProgram}`;
  if (status === undefined) return ofOwner;
  if (status === 'expired') return sql`${ofOwner} and state = 'open' and closes_at <= ${now}`;
  if (status === 'open') return sql`${ofOwner} and state = 'open' and closes_at > ${now}`;
  return sql`${ofOwner} and state = ${status}`;
}

/** Finds an offer of an organisation, to whichever member. */
export function findOrganisationOffer(
  db: Reader,
  { id, org_id }: { readonly id: string; readonly org_id: string },
): Promise<Offer | undefined> {
  return db.find(
    sql<Offer>`select ${columns} from credential_offers where org_id = ${org_id} and id = ${id}`,
  );
}

/** When an organisation made the offer that is in this place, counted from its newest; undefined if it has made fewer. */
export async function findOfferTime(db: Reader, org_id: string, place: number): Promise<Date | undefined> {
  const row = await db.find(sql<Pick<Offer, 'created_at'>>`
    select created_at from credential_offers where org_id = ${org_id}
    order by created_at desc, id desc offset ${place - 1} limit 1`);
  return row?.created_at;
}

/** Lists waiting offers whose time has come, the longest waiting first. */
export function listDueOffers(db: Reader, now: Date, limit: number): Promise<OfferKey[]> {
  return db.list(sql<OfferKey>`
    select id, member_id from credential_offers where state = 'waiting' and opens_at <= ${now} order by opens_at, id limit ${limit}`);
}

/** Deletes offers that have ended without a credential before a time, at most `limit`. @returns their number. */
export function deleteOldOffers(db: Executor, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from credential_offers where (member_id, id) in (
      select member_id, id from credential_offers
      where (state in ('declined', 'disputed', 'withdrawn') and ended_at <= ${before}) or (state = 'open' and closes_at <= ${before})
      limit ${limit})`);
}

type HeldRow = Readonly<Record<string, unknown>>;

/** All offers to a member, oldest first. */
export function listMemberOffers(db: Reader, member_id: string): Promise<HeldRow[]> {
  return db.list(sql<HeldRow>`
    select credential_type, attestation_tier, claims, expiry_days, state, opens_at, closes_at, created_at, ended_at, reason, credential_id
    from credential_offers where member_id = ${member_id} order by created_at, id`);
}

export async function deleteMemberOffers(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from credential_offers where member_id = ${member_id}`);
}
