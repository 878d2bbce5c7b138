import type { Micros } from '#lib/money.ts';
import type { RefusalCode } from '#lib/refusals.ts';

/** What a payment pays for: one read of one member by one organisation. It pays for nothing else. */
export type PaidRead = {
  readonly org_id: string;
  readonly user_id: string;
  /** The member's real id, whatever the caller named the member by. */
  readonly member_id: string;
  /** The id by which the organisation knows the member; absent for payments from before it was recorded. */
  readonly known_as?: string | null;
  readonly data_type: string;
  readonly price: Micros;
  /** For a read on the marketplace: the id by which the organisation named the member. */
  readonly shown_member_id?: string | null;
  /** For a read on the marketplace: what is offered, and what that is worth. */
  readonly offer?: Offered;
  /** The proposal of the member that is paid. */
  readonly proposal_id?: string | null;
  /** The grant of the agent that pays, whose limit the amount counts against. */
  readonly grant_id?: string | null;
};

/** An amount in Australian dollars, and what it is worth in US dollars. */
export type Offered = { readonly aud: Micros; readonly usd: Micros };

export const rails = ['mock', 'transfer', 'x402', 'balance'] as const;

export type Rail = (typeof rails)[number];

export type ProtocolVersion = 'mock' | 'tx-hash' | 'x402-v1' | 'x402-v2' | 'balance';

/**
 * The states of a payment. `claimed`: it is taken for one read, and nothing was sent. `settling`: one process is having it carried out.
 * `unknown`: it may have been carried out. `failed`: it was not, and its signer may still send it. `settled`: the money has arrived.
 * `recorded`: the read is done. `refused`: there was no read, and the money goes back.
 */
export const paymentStates = [
  'claimed',
  'settling',
  'unknown',
  'failed',
  'settled',
  'recorded',
  'refused',
] as const;

export type PaymentState = (typeof paymentStates)[number];

/** A stored payment. Amounts are micro-units. */
export type Payment = {
  readonly id: string;
  readonly state: PaymentState;
  readonly rail: Rail;
  readonly protocol_version: ProtocolVersion;
  readonly org_id: string;
  readonly user_id: string;
  /** Null after the member's erasure. */
  readonly member_id: string | null;
  readonly known_as: string | null;
  readonly data_type: string;
  readonly shown_member_id: string | null;
  readonly proposal_id: string | null;
  /** The grant of the agent that presented the payment; null if no agent did. */
  readonly grant_id: string | null;
  readonly price_micros: number;
  readonly amount_micros: number;
  /** What was agreed in Australian dollars; null if what was paid is not what the offer is worth. */
  readonly price_aud_micros: number | null;
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

/**
 * Whether a payment was made for this read. A colleague may repeat the request of another user, and the price may have changed since. A payment for one
 * alias is none for another one: whether it is accepted would tell whether both are the same person.
 */
export function isForRead(payment: Payment, read: PaidRead): boolean {
  return (
    payment.org_id === read.org_id &&
    payment.member_id === read.member_id &&
    isKnownAs(payment.known_as, read) &&
    payment.data_type === read.data_type
  );
}

function isKnownAs(known_as: string | null, { member_id, known_as: name = member_id }: PaidRead): boolean {
  return known_as === null || known_as === name || name === member_id;
}

/** How to proceed with a payment that was presented before, for the same read. */
export type Continuation =
  | { readonly do: 'use' }
  | { readonly do: 'settle' }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'refuse'; readonly code: RefusalCode };

/** How long one attempt to settle may take before another process may try. */
export const attempt_seconds = 45;

/** Decides what to do with a payment that was presented before, for the same read. */
export function continuePayment(
  payment: Pick<Payment, 'state' | 'attempt_until' | 'valid_before'>,
  now: Date,
): Continuation {
  const { state, attempt_until, valid_before } = payment;
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

/** A payment that was not stored yet. */
export type NewPayment = Omit<Payment, 'reason' | 'attempted_at'>;

/** What is known of a payment besides its read. */
type GivenFields = Pick<NewPayment, 'state' | 'rail' | 'protocol_version' | 'amount_micros'> &
  Partial<NewPayment>;

/** Builds a payment for a read. What its rail does not know is null. */
export function buildPayment(id: string, read: PaidRead, created_at: Date, given: GivenFields): NewPayment {
  const {
    org_id,
    user_id,
    member_id,
    known_as = null,
    data_type,
    shown_member_id = null,
    proposal_id = null,
    grant_id = null,
    price,
    offer,
  } = read;
  return {
    id,
    org_id,
    user_id,
    member_id,
    known_as,
    data_type,
    shown_member_id,
    proposal_id,
    grant_id,
    price_micros: Number(price),
    price_aud_micros: offer && offer.usd === BigInt(given.amount_micros) ? Number(offer.aud) : null,
    network: null,
    asset: null,
    payer: null,
    pay_to: null,
    nonce: null,
    valid_before: null,
    transaction: null,
    log_index: null,
    attempt_until: null,
    created_at,
    settled_at: null,
    ...given,
  };
}
