import { Type, type Static } from 'typebox';
import { microsFromNumber, microsToNumber, type Micros } from '#lib/money.ts';
import { createFieldRefusal } from '#lib/refusal.ts';
import { closedObject, field, nullable, patternText, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import {
  entryKinds,
  top_up_max,
  top_up_min,
  type Balance,
  type Entry,
  type Period,
  type TopUp,
  type WaitingTopUp,
} from './rules.ts';

const amount = Type.Number();
const currency = field(Type.Enum(['USD']), 'The currency of all amounts.', 'USD');
const sampleReference = 'TOP-7K3M9QXZ';
const samplePayee = 'Tessera Ltd, IBAN DE02 1203 0000 0000 2020 51, BIC BYLADEM1001';

/** An amount that a client names, in US dollars. */
export function buildAmountInput(description: string, minimum = top_up_min) {
  return field(Type.Number({ minimum, maximum: top_up_max }), description, 250);
}

/** Reads an amount of a request. @throws Refusal `field_invalid`. */
export function readAmount(given: number, pointer: `/${string}`): Micros {
  try {
    return microsFromNumber(given);
  } catch {
    throw createFieldRefusal('field_invalid', pointer, 'must have at most six decimals');
  }
}

/** The reference under which money arrives. */
export const referenceInput = patternText(
  '^[A-Za-z0-9][A-Za-z0-9./-]{2,39}$',
  'must be 3 to 40 letters, digits, dots, slashes or hyphens, the first a letter or digit',
  {
    description:
      'The reference of the announced top-up, or of your own for money that nobody announced, such as the number of an invoice. Upper and lower case are the same.',
    examples: [sampleReference],
  },
);

const payTo = field(
  nullable(Type.String()),
  'Where to send the money, as the operator has set it; null if the operator says so in another way.',
  samplePayee,
);

/** A top-up that waits for its money. */
const announcedWire = closedObject(
  {
    reference: field(Type.String(), 'Write it on the transfer, so that the money is found.', sampleReference),
    amount: field(amount, 'The announced amount.', 250),
    announced_at: field(timestamp, 'When it was announced.', '2026-03-02T09:00:00.000Z'),
  },
  { $id: 'AnnouncedTopUp' },
);

function toAnnouncedWire({ reference, announced, announced_at }: TopUp): Static<typeof announcedWire> {
  return {
    reference,
    // Listed and added ones were announced.
    amount: microsToNumber(announced!),
    announced_at: announced_at!.toISOString(),
  };
}

/** The prepaid balance of the caller's organisation. */
export const balanceWire = closedObject(
  {
    balance: field(amount, 'What is left.', 12.5),
    currency,
    warn_below: field(
      nullable(amount),
      'The administrators get an email when a read takes the balance below this amount; null for none.',
      5,
    ),
    pay_to: payTo,
    announced: field(
      Type.Array(announcedWire),
      'Top-ups of the last 60 days that wait for their money, the newest first.',
    ),
  },
  { $id: 'PrepaidBalance' },
);

export function toBalanceWire(
  { balance, warn_below }: Balance,
  announced: readonly TopUp[],
  pay_to: string | null,
): Static<typeof balanceWire> {
  return {
    balance: microsToNumber(balance),
    currency: 'USD',
    warn_below: warn_below === null ? null : microsToNumber(warn_below),
    pay_to,
    announced: announced.map(toAnnouncedWire),
  };
}

/** An announced top-up, and where to send its money. */
export const announcementWire = closedObject(
  { ...announcedWire.properties, currency, pay_to: payTo },
  { $id: 'TopUpAnnouncement' },
);

export function toAnnouncementWire(topUp: TopUp, pay_to: string | null): Static<typeof announcementWire> {
  return { ...toAnnouncedWire(topUp), currency: 'USD', pay_to };
}

/** Top-ups that wait for their money, for the operator. */
export const waitingListWire = closedObject(
  {
    data: field(
      Type.Array(
        closedObject(
          {
            ...announcedWire.properties,
            org_id: field(uuid, 'The organisation that announced it.', sampleIds.organisation),
            organisation_name: field(Type.String(), 'Its name.', 'Harbour Health'),
          },
          { $id: 'WaitingTopUp' },
        ),
      ),
      'The top-ups, the oldest first.',
    ),
  },
  { $id: 'WaitingTopUpList' },
);

export function toWaitingListWire(topUps: readonly WaitingTopUp[]): Static<typeof waitingListWire> {
  return {
    data: topUps.map((each) => ({
      ...toAnnouncedWire(each),
      org_id: each.org_id,
      organisation_name: each.organisation_name,
    })),
  };
}

/** Money that has arrived for a balance. */
export const recordedTopUpWire = closedObject(
  {
    reference: field(Type.String(), 'The reference of the top-up.', sampleReference),
    org_id: field(uuid, 'The organisation whose balance it fills.', sampleIds.organisation),
    amount: field(amount, 'What has arrived.', 250),
    currency,
    balance: field(amount, 'What the organisation has now.', 262.5),
    recorded_at: field(timestamp, 'When it was recorded first.', '2026-03-04T09:00:00.000Z'),
  },
  { $id: 'RecordedTopUp' },
);

const entryWire = closedObject(
  {
    number: field(
      Type.Integer({ minimum: 1 }),
      'The lines of an organisation are numbered without gaps.',
      17,
    ),
    kind: field(
      Type.Enum(entryKinds),
      'top_up: money has arrived. read: a read was paid. refund: there was no read, and its money is back. correction: the operator took something back.',
      'read',
    ),
    amount: field(amount, 'What was added, or with a minus taken.', -0.25),
    balance: field(amount, 'What was left afterwards.', 12.25),
    detail: field(
      Type.String(),
      'The reference of a top-up, what was read, or why something was given or taken back.',
      'trait_profile',
    ),
    payment_id: field(
      nullable(uuid),
      'The payment of a read and its refund; null for other lines.',
      '6f708192-a3b4-4c5d-8e6f-708192a3b4c5',
    ),
    posted_at: field(timestamp, 'When it took effect.', '2026-03-02T09:00:00.000Z'),
  },
  { $id: 'BalanceEntry' },
);

/** A statement of a balance. */
export const statementWire = closedObject(
  {
    from: field(Type.String({ format: 'date' }), 'The first day (UTC).', '2026-03-01'),
    to: field(Type.String({ format: 'date' }), 'The last day (UTC).', '2026-03-31'),
    currency,
    opening_balance: field(amount, 'What was left before the first day.', 12.5),
    closing_balance: field(amount, 'What was left after the last day, or is left now.', 12.25),
    data: field(Type.Array(entryWire), 'The lines, the oldest first.'),
    next_after: field(
      nullable(Type.Integer()),
      'The value of `after` for the following lines; null if there are none.',
      null,
    ),
  },
  { $id: 'BalanceStatement' },
);

/** The balances at both ends of a statement. */
export type Ends = { readonly opening: Micros; readonly closing: Micros };

export function toStatementWire(
  { from, to }: Period,
  { opening, closing }: Ends,
  { entries, next_after }: { readonly entries: readonly Entry[]; readonly next_after: number | null },
): Static<typeof statementWire> {
  return {
    from,
    to,
    currency: 'USD',
    opening_balance: microsToNumber(opening),
    closing_balance: microsToNumber(closing),
    data: entries.map((entry) => ({
      ...entry,
      amount: microsToNumber(entry.amount),
      balance: microsToNumber(entry.balance),
      posted_at: entry.posted_at.toISOString(),
    })),
    next_after,
  };
}
