import { Refusal } from '#lib/refusal.ts';
import { runLimitedGuess } from '#modules/access/accounts';
import { countReads } from '#modules/income/books';
import { readBalances } from '#modules/income/books';
import type { Reader } from '#platform/database/database.ts';
import type { RequestFacts } from '#platform/operation.ts';
import type { Services } from '#platform/platform.ts';
import { readClaimCode } from './claim-code.ts';
import type { Stub } from './rules.ts';
import { findStub, listEvidence } from './store.ts';
import type { StubCounts } from './wire.ts';

type GuessContext = Services & { readonly database: Reader; readonly request: Pick<RequestFacts, 'address'> };

/** A stub that nobody has claimed, with its code as it was given out. */
export type FoundStub = { readonly code: string; readonly code_hash: Buffer; readonly stub: Stub };

/**
 * Finds an unclaimed stub by its code. Wrong codes are counted for the network of the client, so that codes cannot be tried one after the
 * other; text that cannot be a code counts as well.
 *
 * @throws Refusal `stub_not_found`, `stub_claimed`, `too_many_requests`.
 */
export async function findStubByCode(context: GuessContext, text: string): Promise<FoundStub> {
  const code = readClaimCode(text);
  const code_hash = hashClaimCode(context, code ?? '');
  const guess = {
    what: 'claim_code',
    account: code ?? '',
    user_id: undefined,
    address: context.request.address,
  } as const;
  const stub = await runLimitedGuess(
    context,
    guess,
    async () => (code === undefined ? undefined : findStub(context.database, code_hash)),
    (found) => found !== undefined,
  );
  if (code === undefined || stub === undefined) throw new Refusal('stub_not_found');
  if (stub.status === 'claimed') throw new Refusal('stub_claimed');
  return { code, code_hash, stub };
}

/** Hashes a claim code. With a key, so that somebody with a copy of the database cannot try all codes. */
export function hashClaimCode({ secrets }: Pick<Services, 'secrets'>, code: string): Buffer {
  return secrets.computeHmac('claim-code', code);
}

/** Counts what is known of a stub, and what it has earned. */
export async function countStub(db: Reader, member_id: string, now: Date): Promise<StubCounts> {
  const [evidence, { transaction_count, recognition_count }, { total }] = await Promise.all([
    listEvidence(db, member_id),
    countReads(db, member_id),
    readBalances(db, member_id, now),
  ]);
  return { traits: evidence.length, reads: transaction_count + recognition_count, earned: total };
}
