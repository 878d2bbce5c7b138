import { formatUtcTime } from '#platform/format-utc-time.ts';
import { formatMicros, whole_bps } from '#lib/money.ts';
import type { ReceiptContent } from '#platform/pdf/receipt.ts';
import { categoryNames, paymentNames, selectStatus, type ListedRead, type ReadStatus } from './rules.ts';

/** Builds the receipt of a read for the member who was read. It names the organisation, and says nothing of who paid from where. */
export function buildReadReceipt(read: ListedRead, now: Date): ReceiptContent {
  const { gross, member_share, share_bps, available_at } = read;
  const status = selectStatus(read, now);
  const parts = [
    {
      heading: 'The read',
      rows: [
        { label: 'Receipt number', value: read.id },
        { label: 'Organisation', value: read.organisation_name || 'An organisation that no longer exists' },
        { label: 'What was read', value: categoryNames[read.data_type] },
        { label: 'When', value: formatUtcTime(read.created_at) },
      ],
    },
    {
      heading: 'The money',
      rows: [
        { label: 'Paid by the organisation', value: `${formatMicros(gross)} USD` },
        {
          label: 'Your share',
          value: `${formatMicros(member_share)} USD (${(100 * share_bps) / whole_bps} %)`,
        },
        { label: 'Share of the service', value: `${formatMicros(gross - member_share)} USD` },
        { label: 'Way of payment', value: paymentNames[read.payment_type] },
        { label: 'Status', value: statusNames[status] },
        ...(status === 'pending' && available_at
          ? [{ label: 'May be paid out from', value: formatUtcTime(available_at) }]
          : []),
      ],
    },
  ];
  return { parts, notes };
}

const statusNames: Readonly<Record<ReadStatus, string>> = {
  pending: 'Earned, within the payout hold of the service',
  settled: 'Earned, and may be paid out',
  recognition: 'Free: it earns recognition and no money',
  reversed: 'Taken back: the payment was not kept',
};

const notes = [
  'The organisation saw labels about you under a pseudonym. This receipt is for you: it says nothing of what was read, and the organisation does not have it.',
];
