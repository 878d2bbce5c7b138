import { formatUtcTime } from '#platform/format-utc-time.ts';
import { formatMicros, type Micros } from '#lib/money.ts';
import { categoryNames, paymentNames, type OrganisationRead } from '#modules/income/earnings';
import type { Settlement } from '#modules/income/payments';
import type { ReceiptContent } from '#platform/pdf/receipt.ts';

/** What the receipt of a purchase is built from. */
export type PurchaseReceiptSources = {
  readonly read: OrganisationRead;
  /** Where the money came from; undefined for a free read. */
  readonly settlement: Settlement | undefined;
  /** The name of the buyer. */
  readonly organisation: string;
  readonly pseudonym: string;
};

/** Builds the receipt of a read for the organisation that made it. The member has no name in it but the pseudonym. */
export function buildPurchaseReceipt(sources: PurchaseReceiptSources): ReceiptContent {
  const { read, settlement, organisation, pseudonym } = sources;
  return {
    parts: [
      {
        heading: 'The purchase',
        rows: [
          { label: 'Receipt number', value: read.id },
          { label: 'Buyer', value: organisation },
          { label: 'What was read', value: categoryNames[read.data_type] },
          { label: 'Person, by pseudonym', value: pseudonym },
          { label: 'When', value: formatUtcTime(read.created_at) },
        ],
      },
      { heading: 'The payment', rows: listPaymentRows(read, settlement) },
    ],
    notes: [
      'What was read is not part of this receipt. The pseudonym is that of your reads; it does not say who the person is.',
    ],
  };
}

function listPaymentRows(
  { gross, payment_type, is_reversed }: OrganisationRead,
  settlement: Settlement | undefined,
) {
  const { network, payer, transaction } = settlement ?? {};
  return [
    { label: 'Price', value: `${formatMicros(gross)} USD` },
    { label: 'Way of payment', value: paymentNames[payment_type] },
    ...(network ? [{ label: 'Chain', value: network }] : []),
    ...(payer ? [{ label: 'Paid from', value: payer }] : []),
    ...(transaction ? [{ label: 'Transaction', value: transaction }] : []),
    { label: 'Status', value: describeStatus(gross, is_reversed) },
  ];
}

function describeStatus(gross: Micros, is_reversed: boolean): string {
  if (is_reversed) return 'Taken back: the payment was not kept';
  return gross === 0n ? 'Free: nothing was paid' : 'Paid';
}
