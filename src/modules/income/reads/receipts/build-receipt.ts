import { formatMoney, whole_bps, type Micros } from '#lib/money.ts';
import {
  selectStatus,
  type ListedRead,
  type OrganisationRead,
  type PaymentType,
  type ReadStatus,
} from '#modules/income/books';
import type { Settlement } from '#modules/income/payments';
import { formatUtcDate, formatUtcTime } from '#platform/format-utc-time.ts';
import { formatReceiptNumber } from '#platform/pdf/format-receipt-number.ts';
import type { ReceiptContent } from '#platform/pdf/receipt.ts';
import { formatPseudonym } from '../pseudonym.ts';
import type { DataType } from '../rules.ts';

/** Builds the receipt of a read for the member who was read. It names the organisation, and says nothing of who paid from where. */
export function buildMemberReceipt(read: ListedRead, now: Date): ReceiptContent {
  const { gross, member_share, available_at } = read;
  const status = selectStatus(read, now);
  const organisation = read.organisation_name || 'An organisation that no longer exists';
  const share = formatMoney(member_share, 'USD');
  return {
    summary: summariseForMember(read, organisation, share),
    parts: [
      { heading: 'The read', rows: listReadRows(read, [{ label: 'Organisation', value: organisation }]) },
      {
        heading: 'The money',
        rows: [
          ...listAgreed(read),
          { label: 'Paid by the organisation', value: formatMoney(gross, 'USD') },
          ...listShares(read, share),
          { label: 'Way of payment', value: paymentNames[read.payment_type] },
          { label: 'Status', value: statusNames[status] },
          ...(status === 'pending' && available_at
            ? [{ label: 'Can be paid out from', value: formatUtcTime(available_at) }]
            : []),
        ],
      },
    ],
    notes: [
      'The organisation saw words about you, under a pseudonym instead of your name. This receipt is for you alone. It does not repeat what was read.',
    ],
  };
}

/** Both shares, drawn as the parts of what was paid. */
function listShares({ gross, member_share, share_bps }: ListedRead, share: string): Rows {
  const own = share_bps / whole_bps;
  const [mine, rest] =
    gross === 0n
      ? []
      : [
          { from: 0, to: own },
          { from: own, to: 1 },
        ];
  return [
    {
      label: 'Your share',
      value: `${share} (${(100 * share_bps) / whole_bps} %)`,
      ...(mine && { part: mine }),
    },
    {
      label: 'Share of the service',
      value: formatMoney(gross - member_share, 'USD'),
      ...(rest && { part: rest }),
    },
  ];
}

function summariseForMember(
  { gross, data_type, created_at }: ListedRead,
  who: string,
  share: string,
): string {
  const read = `read ${memberTypes[data_type]} on ${formatUtcDate(created_at)}`;
  if (gross === 0n) return `${who} ${read}, free of charge.`;
  return `${who} paid ${formatMoney(gross, 'USD')} to ${read}. ${share} of it is yours.`;
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
    { label: 'Person', value: `${formatPseudonym(pseudonym)}, the name in your reads` },
  ];
  const what = `${personTypes[read.data_type]} on ${formatUtcDate(read.created_at)}`;
  const summary =
    read.gross === 0n
      ? `${organisation} read ${what}, free of charge.`
      : `${organisation} paid ${formatMoney(read.gross, 'USD')} to read ${what}.`;
  return {
    summary,
    parts: [
      { heading: 'The purchase', rows: listReadRows(read, [buyer], [person]) },
      {
        heading: 'The payment',
        rows: [
          ...listAgreed(read),
          { label: 'Price', value: formatMoney(read.gross, 'USD') },
          { label: 'Way of payment', value: paymentNames[read.payment_type] },
          ...(network ? [{ label: 'Blockchain', value: chainNames[network] ?? network }] : []),
          ...(payer ? [{ label: 'Paid from', value: payer }] : []),
          ...(transaction ? [{ label: 'Transaction', value: transaction }] : []),
          { label: 'Status', value: describePayment(read.gross, read.is_reversed) },
        ],
      },
    ],
    notes: [
      'This receipt does not repeat what was read. The name of the person is the one in the list of your reads, and does not say who they are.',
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
    { label: 'Receipt number', value: formatReceiptNumber(id) },
    ...before,
    { label: 'What was read', value: typeNames[data_type] },
    ...after,
    { label: 'When', value: formatUtcTime(created_at) },
  ];
}

/** What was agreed on the marketplace. */
function listAgreed({ price_aud_micros }: Pick<ListedRead, 'price_aud_micros'>): Rows {
  if (price_aud_micros === null) return [];
  return [{ label: 'Agreed price', value: formatMoney(BigInt(price_aud_micros), 'AUD') }];
}

const takenBack = 'Taken back: the payment was reversed';

function describePayment(gross: Micros, is_reversed: boolean): string {
  if (is_reversed) return takenBack;
  return gross === 0n ? 'Free: nothing was paid' : 'Paid';
}

const statusNames: Readonly<Record<ReadStatus, string>> = {
  pending: 'Earned. It cannot be paid out yet.',
  settled: 'Earned. It can be paid out.',
  recognition: 'Free. It earns recognition and no money.',
  reversed: takenBack,
};

const typeNames: Readonly<Record<DataType, string>> = {
  archetype: 'Archetype',
  trait_profile: 'Trait profile: a label for each of five families',
  values_profile: 'Values profile: a label for each of six values',
  alignment: 'Alignment with the published culture of the organisation',
};

/** What was read of the member, within a sentence about the organisation. */
const memberTypes: Readonly<Record<DataType, string>> = {
  archetype: 'your archetype',
  trait_profile: 'your trait profile',
  values_profile: 'your values profile',
  alignment: 'how well you suit its culture',
};

const personTypes: Readonly<Record<DataType, string>> = {
  archetype: 'the archetype of one person',
  trait_profile: 'the trait profile of one person',
  values_profile: 'the values profile of one person',
  alignment: 'how well one person suits its culture',
};

const paymentNames: Readonly<Record<PaymentType, string>> = {
  x402: 'From a wallet, by a signed payment (x402)',
  transfer: 'From a wallet, by a transfer',
  mock: 'A test payment: no money moved',
  balance: 'From the prepaid balance of the organisation',
  allowance: 'One of the free reads of the organisation',
};

/** The names of blockchains that carry USDC, by their ids in CAIP-2. */
const chainNames: Readonly<Record<string, string>> = {
  'eip155:137': 'Polygon',
  'eip155:1329': 'Sei',
  'eip155:8453': 'Base',
  'eip155:43113': 'Avalanche Fuji, for tests',
  'eip155:43114': 'Avalanche',
  'eip155:80002': 'Polygon Amoy, for tests',
  'eip155:84532': 'Base Sepolia, for tests',
};
