import { formatMicros, whole_bps, type Micros } from '#lib/money.ts';
import {
  selectStatus,
  type ListedRead,
  type OrganisationRead,
  type PaymentType,
  type ReadStatus,
} from '#modules/income/books';
import type { Settlement } from '#modules/income/payments';
import { formatUtcTime } from '#platform/format-utc-time.ts';
import type { ReceiptContent } from '#platform/pdf/receipt.ts';
import type { DataType } from '../rules.ts';

/** Builds the receipt of a read for the member who was read. It names the organisation, and says nothing of who paid from where. */
export function buildMemberReceipt(read: ListedRead, now: Date): ReceiptContent {
  const { gross, member_share, share_bps, available_at } = read;
  const status = selectStatus(read, now);
  const organisation = read.organisation_name || 'An organisation that no longer exists';
  const share = `${formatMicros(member_share)} USD (${(100 * share_bps) / whole_bps} %)`;
  return {
    parts: [
      { heading: 'The read', rows: listReadRows(read, [{ label: 'Organisation', value: organisation }]) },
      {
        heading: 'The money',
        rows: [
          ...listAgreed(read),
          { label: 'Paid by the organisation', value: `${formatMicros(gross)} USD` },
          { label: 'Your share', value: share },
          { label: 'Share of the service', value: `${formatMicros(gross - member_share)} USD` },
          { label: 'Way of payment', value: paymentNames[read.payment_type] },
          { label: 'Status', value: statusNames[status] },
          ...(status === 'pending' && available_at
            ? [{ label: 'May be paid out from', value: formatUtcTime(available_at) }]
            : []),
        ],
      },
    ],
    notes: [
      'The organisation saw labels about you under a pseudonym. This receipt is for you: it says nothing of what was read, and the organisation does not have it.',
    ],
  };
}

/** What the receipt of an organisation is built from. */
export type OrganisationReceiptSources = {
  readonly read: OrganisationRead;
  /** Where the money came from; undefined for a free read. */
  readonly settlement: Settlement | undefined;
  readonly organisation: string;
  readonly pseudonym: string;
};

/** Builds the receipt of a read for the organisation that made it. The member has no name in it but the pseudonym. */
export function buildOrganisationReceipt(sources: OrganisationReceiptSources): ReceiptContent {
  const { read, settlement, organisation, pseudonym } = sources;
  const { network, payer, transaction } = settlement ?? {};
  const [buyer, person] = [
    { label: 'Buyer', value: organisation },
    { label: 'Person, by pseudonym', value: pseudonym },
  ];
  return {
    parts: [
      { heading: 'The purchase', rows: listReadRows(read, [buyer], [person]) },
      {
        heading: 'The payment',
        rows: [
          ...listAgreed(read),
          { label: 'Price', value: `${formatMicros(read.gross)} USD` },
          { label: 'Way of payment', value: paymentNames[read.payment_type] },
          ...(network ? [{ label: 'Chain', value: network }] : []),
          ...(payer ? [{ label: 'Paid from', value: payer }] : []),
          ...(transaction ? [{ label: 'Transaction', value: transaction }] : []),
          { label: 'Status', value: describePayment(read.gross, read.is_reversed) },
        ],
      },
    ],
    notes: [
      'What was read is not part of this receipt. The pseudonym is that of your reads; it does not say who the person is.',
    ],
  };
}

type Rows = ReceiptContent['parts'][number]['rows'];

function listReadRows(
  { id, data_type, created_at }: Pick<ListedRead, 'id' | 'data_type' | 'created_at'>,
  before: Rows,
  after: Rows = [],
): Rows {
  return [
    { label: 'Receipt number', value: id },
    ...before,
    { label: 'What was read', value: typeNames[data_type] },
    ...after,
    { label: 'When', value: formatUtcTime(created_at) },
  ];
}

/** What was agreed on the marketplace. */
function listAgreed({ price_aud_micros }: Pick<ListedRead, 'price_aud_micros'>): Rows {
  if (price_aud_micros === null) return [];
  return [{ label: 'Agreed price', value: `${formatMicros(BigInt(price_aud_micros))} AUD` }];
}

const takenBack = 'Taken back: the payment was not kept';

function describePayment(gross: Micros, is_reversed: boolean): string {
  if (is_reversed) return takenBack;
  return gross === 0n ? 'Free: nothing was paid' : 'Paid';
}

const statusNames: Readonly<Record<ReadStatus, string>> = {
  pending: 'Earned, within the payout hold of the service',
  settled: 'Earned, and may be paid out',
  recognition: 'Free: it earns recognition and no money',
  reversed: takenBack,
};

const typeNames: Readonly<Record<DataType, string>> = {
  archetype: 'Archetype',
  trait_profile: 'Trait profile: a label for each of five families',
  values_profile: 'Values profile: a label for each of six values',
  alignment: 'Alignment with the published culture of the organisation',
};

const paymentNames: Readonly<Record<PaymentType, string>> = {
  x402: 'x402, by a signed authorisation',
  transfer: 'Transfer on the chain',
  mock: 'Mock payment of a development service: no money moved',
  balance: 'From the prepaid balance of the organisation',
  allowance: 'Free read from the allowance of the organisation',
};
