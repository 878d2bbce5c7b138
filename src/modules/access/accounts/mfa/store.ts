import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

/** A user's authenticator app. A decision that depends on it requires the user's lock. */
export type Authenticator = {
  readonly secret_sealed: Buffer;
  readonly enabled_at: Date | null;
  readonly last_step: number;
};

export function findAuthenticator(db: Reader, user_id: string): Promise<Authenticator | undefined> {
  return db.find(sql<Authenticator>`
    select secret_sealed, enabled_at, last_step from authenticators where user_id = ${user_id}`);
}

/** Adds an authenticator that is not enabled yet, or replaces one that was never enabled. */
export async function insertAuthenticator(
  tx: Transaction,
  {
    user_id,
    secret_sealed,
    now,
  }: { readonly user_id: string; readonly secret_sealed: Buffer; readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into authenticators (user_id, secret_sealed, created_at) values (${user_id}, ${secret_sealed}, ${now})
    on conflict (user_id) do update set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at, last_step = 0
    where authenticators.enabled_at is null`);
}

export async function enableAuthenticator(tx: Transaction, user_id: string, now: Date): Promise<void> {
  await tx.run(sql`update authenticators set enabled_at = ${now} where user_id = ${user_id}`);
}

/** Records that a code of this step was used. @returns 0 if a code of this or a later step was used before, otherwise 1. */
export function updateLastStep(tx: Transaction, user_id: string, step: number): Promise<number> {
  return tx.run(sql`
    update authenticators set last_step = ${step} where user_id = ${user_id} and last_step < ${step}`);
}

/** Deletes the authenticator with its tickets and recovery codes. */
export async function deleteMfa(tx: Transaction, user_id: string): Promise<void> {
  await deleteTickets(tx, user_id);
  await tx.run(sql`delete from recovery_codes where user_id = ${user_id}`);
  await tx.run(sql`delete from authenticators where user_id = ${user_id}`);
}

export async function insertRecoveryCodes(
  tx: Transaction,
  user_id: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.run(sql`
    insert into recovery_codes (code_hash, user_id) select code_hash, ${user_id} from unnest(${hashes}::bytea[]) as given (code_hash)`);
}

/** Marks a recovery code as used. @returns 0 if it is wrong or already used, otherwise 1. Only one of several concurrent uses succeeds. */
export function markRecoveryCodeUsed(
  tx: Transaction,
  { user_id, code_hash, now }: { readonly user_id: string; readonly code_hash: Buffer; readonly now: Date },
): Promise<number> {
  return tx.run(sql`
    update recovery_codes set used_at = ${now}
    where user_id = ${user_id} and code_hash = ${code_hash} and used_at is null`);
}

export function countRecoveryCodes(db: Reader, user_id: string): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from recovery_codes where user_id = ${user_id} and used_at is null`);
}

/** What a user receives for the password alone if MFA is enabled. */
export type Ticket = {
  readonly user_id: string;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly failures: number;
};

export async function insertTicket(
  tx: Transaction,
  ticket: {
    readonly ticket_hash: Buffer;
    readonly user_id: string;
    readonly created_at: Date;
    readonly expires_at: Date;
  },
): Promise<void> {
  const { ticket_hash, user_id, created_at, expires_at } = ticket;
  await tx.run(sql`
    insert into mfa_tickets (ticket_hash, user_id, created_at, expires_at)
    values (${ticket_hash}, ${user_id}, ${created_at}, ${expires_at})`);
}

/** The ticket with a hash, or undefined. A decision that depends on it requires the user's lock. */
export function findTicket(db: Reader, ticket_hash: Buffer): Promise<Ticket | undefined> {
  return db.find(sql<Ticket>`
    select user_id, expires_at, used_at, failures from mfa_tickets where ticket_hash = ${ticket_hash}`);
}

export async function markTicketUsed(tx: Transaction, ticket_hash: Buffer, now: Date): Promise<void> {
  await tx.run(sql`update mfa_tickets set used_at = ${now} where ticket_hash = ${ticket_hash}`);
}

export async function recordTicketFailure(tx: Transaction, ticket_hash: Buffer): Promise<void> {
  await tx.run(sql`update mfa_tickets set failures = failures + 1 where ticket_hash = ${ticket_hash}`);
}

export async function deleteTickets(tx: Transaction, user_id: string): Promise<void> {
  await tx.run(sql`delete from mfa_tickets where user_id = ${user_id}`);
}
