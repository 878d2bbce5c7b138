import { randomUUID } from 'node:crypto';
import type { LoggedInCaller } from '#lib/caller.ts';
import type { Micros } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import { findKnownName } from '#modules/matching/matches';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockMember, type Member } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { checkSources, findSources } from '../making/make-read.ts';
import type { DataType, Proposal } from '../rules.ts';
import {
  countPending,
  countRecorded,
  expireProposals,
  findPendingProposal,
  insertProposal,
} from '../store-proposals.ts';
import { checkPayable, proposal_limits } from './rules.ts';

export type ProposingContext = Omit<Context<'member'>, 'caller'> & {
  readonly caller: Extract<LoggedInCaller, { readonly role: 'member' }>;
};

/** What a member proposes to sell, to whom and for how much. */
export type NewProposal = { readonly org_id: string; readonly data_type: DataType; readonly price: Micros };

/**
 * Records a transaction for a member. It is pending until the organisation pays or declines it, and no money moves before. The same one recorded again while it
 * is pending is the same transaction.
 *
 * @param buildReply Builds the reply in the transaction.
 * @throws Refusal `organisation_not_found` if no open match is shown to both, and what a read by this organisation would be refused for;
 *   `transaction_pending`, `too_many_transactions`, `field_invalid`.
 */
export async function proposeRead<Reply>(
  context: ProposingContext,
  proposed: NewProposal,
  buildReply: (proposal: Proposal) => Reply,
): Promise<Reply> {
  const { payments, aud_per_usd_micros: aud_per_usd } = context.config;
  checkPayable(proposed.price, { has_mock_rail: payments.rails.includes('mock'), aud_per_usd });
  return context.transaction(async (tx) => {
    // The lock lets one of several requests count and insert at a time.
    const member = await lockMember(tx, context.caller.member_id);
    if (!member) throw new Refusal('member_not_found');
    const known_as = await checkReader(context, tx, member, proposed);
    return buildReply(await recordProposal(context, tx, { ...proposed, member_id: member.id, known_as }));
  });
}

/** Checks that this organisation could read this. @returns the id by which it knows the member. */
async function checkReader(
  context: ProposingContext,
  tx: Transaction,
  member: Member,
  { org_id, data_type }: NewProposal,
): Promise<string> {
  const known_as = await findKnownName(context, tx, org_id, member);
  if (known_as === undefined) throw new Refusal('organisation_not_found');
  const wanted = { org_id, user_id: context.caller.user_id, member_id: member.id, known_as, data_type };
  checkSources(context, member, await findSources(tx, wanted), wanted);
  return known_as;
}

async function recordProposal(
  context: ProposingContext,
  tx: Transaction,
  { price, ...key }: NewProposal & Pick<Proposal, 'member_id' | 'known_as'>,
): Promise<Proposal> {
  const now = context.now();
  const pending = await findPendingProposal(tx, key, now);
  if (pending && BigInt(pending.price_aud_micros) === price) return pending;
  if (pending) throw new Refusal('transaction_pending');
  await checkLimits(tx, key, now);
  await expireProposals(tx, key.member_id, now);
  const proposal: Proposal = {
    ...key,
    id: randomUUID(),
    price_aud_micros: Number(price),
    status: 'pending',
    created_at: now,
    expires_at: new Date(now.getTime() + proposal_limits.pending_days * day_ms),
  };
  await insertProposal(tx, proposal);
  // Without the organisation, whose users would read in their log which user it was.
  await recordCallerAudit(context, tx, {
    action: 'queries.proposed',
    member_id: key.member_id,
    detail: { data_type: key.data_type },
  });
  return proposal;
}

const day_ms = 86_400_000;

/** Bounds what a member records, with anyone and with one organisation, and what waits for an organisation, however many members record. */
async function checkLimits(
  tx: Transaction,
  key: Pick<Proposal, 'member_id' | 'org_id'>,
  now: Date,
): Promise<void> {
  const { of_organisation, of_member_a_day, of_pair, pair_days } = proposal_limits;
  const [recorded, waiting] = await Promise.all([
    countRecorded(tx, key, {
      day: new Date(now.getTime() - day_ms),
      month: new Date(now.getTime() - pair_days * day_ms),
    }),
    countPending(tx, key.org_id, now),
  ]);
  if (recorded.of_month >= of_pair)
    refuseMore(`at most ${of_pair} with one organisation in ${pair_days} days`);
  if (recorded.of_day >= of_member_a_day) refuseMore(`at most ${of_member_a_day} in 24 hours`);
  if (waiting >= of_organisation) refuseMore(`at most ${of_organisation} can wait for one organisation`);
}

function refuseMore(limit: string): never {
  throw new Refusal('too_many_transactions', {
    detail: `A member cannot record more transactions now: ${limit}.`,
  });
}
