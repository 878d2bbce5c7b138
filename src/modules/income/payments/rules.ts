import type { Micros } from '#lib/money.ts';
import type { RefusalCode } from '#lib/refusal.ts';

/** What a payment buys: one call of one tool by one organisation, about one member. It buys nothing else. */
export type Purchase = {
  readonly orgId: string;
  readonly userId: string;
  /** The member's real id, whatever the caller named the member by. */
  readonly memberId: string;
  readonly tool: string;
  readonly dataType: string;
  readonly price: Micros;
  /** For a purchase on the marketplace: the id by which its buyer named the member. */
  readonly marketplaceMemberId?: string | null;
  /** The grant of the agent that pays, whose limit the amount counts against. */
  readonly grantId?: string | null;
};

export const rails = ['mock', 'transfer', 'x402'] as const;

export type Rail = (typeof rails)[number];

export type ProtocolVersion = 'mock' | 'tx-hash' | 'x402-v1' | 'x402-v2';

/**
 * The states of a payment. `claimed`: it belongs to one purchase, and nothing was sent. `settling`: one process is having it carried out.
 * `unknown`: it may have been carried out. `failed`: it was not, and its signer may still send it. `settled`: the money has arrived.
 * `recorded`: the read is done. `refused`: there was no read, and the money goes back.
 */
export const claimStates = [
  'claimed',
  'settling',
  'unknown',
  'failed',
  'settled',
  'recorded',
  'refused',
] as const;

export type ClaimState = (typeof claimStates)[number];

/** The states that may follow each state. The trigger `guard_payment_claim` has the same table. */
export const nextStates: Readonly<Record<ClaimState, readonly ClaimState[]>> = {
  claimed: ['settling', 'failed'],
  settling: ['settled', 'failed', 'unknown'],
  unknown: ['settling', 'settled', 'failed'],
  // A signed authorisation can be carried out until it expires, by anyone who has it.
  failed: ['settling', 'settled'],
  settled: ['recorded', 'refused'],
  recorded: [],
  refused: [],
};

/** Whether a payment may change from one state to another. */
export function mayChangeState(from: ClaimState, to: ClaimState): boolean {
  return nextStates[from].includes(to);
}

/** A stored payment. Amounts are micro-units. */
export type Claim = {
  readonly id: string;
  readonly state: ClaimState;
  readonly rail: Rail;
  readonly protocol_version: ProtocolVersion;
  readonly org_id: string;
  readonly user_id: string;
  /** Null after the member's erasure. */
  readonly member_id: string | null;
  readonly tool: string;
  readonly data_type: string;
  readonly marketplace_member_id: string | null;
  /** The grant of the agent that presented the payment; null if no agent did. */
  readonly grant_id: string | null;
  readonly price_micro: number;
  readonly amount_micro: number;
  readonly network: string | null;
  readonly asset: string | null;
  readonly payer: string | null;
  readonly pay_to: string | null;
  readonly nonce: string | null;
  readonly valid_before: Date | null;
  readonly transaction: string | null;
  readonly log_index: number | null;
  readonly reason: string | null;
  readonly attempt_until: Date | null;
  readonly created_at: Date;
  readonly attempted_at: Date;
  readonly settled_at: Date | null;
};

/** Whether a payment was made for this purchase. A colleague may repeat the request of another user, and the price may have changed since. */
export function isSamePurchase(claim: Claim, purchase: Purchase): boolean {
  return (
    claim.org_id === purchase.orgId &&
    claim.member_id === purchase.memberId &&
    claim.tool === purchase.tool &&
    claim.data_type === purchase.dataType
  );
}

/** How to proceed with a payment that was presented before, for the same purchase. */
export type Continuation =
  | { readonly do: 'use' }
  | { readonly do: 'settle' }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'refuse'; readonly code: RefusalCode };

/** How long one attempt to settle may take before another process may try. */
export const attempt_seconds = 45;

/** Decides what to do with a payment that was presented before, for the same purchase. */
export function continueClaim(
  claim: Pick<Claim, 'state' | 'attempt_until' | 'valid_before'>,
  now: Date,
): Continuation {
  const { state, attempt_until, valid_before } = claim;
  const remaining_ms = (attempt_until?.getTime() ?? 0) - now.getTime();
  switch (state) {
    case 'settled':
    case 'recorded':
      return { do: 'use' };
    case 'refused':
      return { do: 'refuse', code: 'payment_refunded' };
    case 'settling':
      return remaining_ms > 0 ? { do: 'wait', seconds: computeWait(remaining_ms) } : { do: 'settle' };
    case 'failed':
      return valid_before !== null && valid_before > now
        ? { do: 'settle' }
        : { do: 'refuse', code: 'payment_expired' };
    default:
      return { do: 'settle' };
  }
}

/** Most attempts end long before their limit. */
function computeWait(remaining_ms: number): number {
  return Math.max(1, Math.min(5, Math.ceil(remaining_ms / 1000)));
}
