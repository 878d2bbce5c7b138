import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { isSamePurchase, type Claim, type Purchase, type Rail } from '../rules.ts';
import {
  findClaim,
  insertClaim,
  insertKeys,
  listClaimsWithKeys,
  startAttempt,
  type NewClaim,
} from './store.ts';

/** A purchase, and what to do in the transaction that claims a payment for it, such as counting the amount against a limit. */
export type NewPurchase = Purchase & {
  readonly reserve?: (tx: Transaction, amount_micro: number) => Promise<void>;
};

/** The right of one process to settle a payment, until a time. */
export type Attempt = { readonly now: Date; readonly until: Date };

/**
 * Stores a claim with the keys of its payment, in a transaction of its own: no other purchase can use the payment from then on.
 *
 * @param attempt Starts an attempt to settle it, in the same transaction.
 * @returns the claim of an earlier request for the same purchase, or undefined if this is the first.
 * @throws Refusal `payment_already_used`, and what `reserve` throws.
 */
export async function openClaim(
  services: Services,
  claim: NewClaim,
  keys: readonly string[],
  purchase: NewPurchase,
  attempt?: Attempt,
): Promise<Claim | undefined> {
  if (await insertClaimWithKeys(services, claim, keys, purchase, attempt)) return undefined;
  const earlier = await findEarlierClaim(services, keys, purchase, claim.rail);
  // Keys are never deleted, so a key that was taken has a claim.
  if (!earlier) throw new Error('a key of a payment is taken, but has no claim');
  return earlier;
}

/**
 * Finds the claim of a payment that was presented before.
 *
 * @throws Refusal `payment_already_used` if that was for another purchase, or on another rail: a settled payment must not be presented again
 *   as a transaction.
 */
export async function findEarlierClaim(
  services: Services,
  keys: readonly string[],
  purchase: Purchase,
  rail: Rail,
): Promise<Claim | undefined> {
  const database = serviceDatabase(services);
  const ids = await listClaimsWithKeys(database, keys);
  if (ids.length === 0) return undefined;
  const claim = ids.length === 1 ? await findClaim(database, ids[0]!) : undefined;
  if (!claim || claim.rail !== rail || !isSamePurchase(claim, purchase))
    throw new Refusal('payment_already_used');
  return claim;
}

async function insertClaimWithKeys(
  services: Services,
  claim: NewClaim,
  keys: readonly string[],
  { reserve }: NewPurchase,
  attempt: Attempt | undefined,
): Promise<boolean> {
  try {
    await serviceDatabase(services).transaction(async (tx) => {
      const [isFree] = await Promise.all([
        insertKeys(tx, keys, claim.id, claim.created_at),
        insertClaim(tx, claim),
        attempt && startAttempt(tx, claim.id, attempt),
      ]);
      if (!isFree) throw new KeyTakenError();
      // Only now: a payment that was presented before has been counted.
      await reserve?.(tx, claim.amount_micro);
    });
    return true;
  } catch (error) {
    if (error instanceof KeyTakenError) return false;
    throw error;
  }
}

/** Rolls the transaction back. */
class KeyTakenError extends Error {}
