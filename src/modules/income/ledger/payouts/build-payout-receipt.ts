import { formatUtcTime } from '#platform/format-utc-time.ts';
import { formatMicros } from '#lib/money.ts';
import type { ReceiptContent } from '#platform/pdf/receipt.ts';
import type { Payout, PayoutRailName, PayoutStatus } from '../rules.ts';

/** Builds the receipt of a payout for the member whose income it was. */
export function buildPayoutReceipt(payout: Payout): ReceiptContent {
  return { parts: [{ heading: 'The payout', rows: listRows(payout) }], notes: [notes[payout.status]] };
}

function listRows(payout: Payout) {
  const { id, amount, destination, transaction_hash, rail, status, requested_at, ended_at } = payout;
  return [
    { label: 'Receipt number', value: id },
    { label: 'Amount', value: `${formatMicros(amount)} USD` },
    ...(destination === null ? [] : [{ label: 'Paid to', value: destination }]),
    { label: 'Way of payment', value: railNames[rail] },
    ...(transaction_hash === null || rail === 'mock'
      ? []
      : [{ label: 'Transaction', value: transaction_hash }]),
    { label: 'Status', value: statusNames[status] },
    { label: 'Requested', value: formatUtcTime(requested_at) },
    ...(ended_at ? [{ label: status === 'paid' ? 'Paid' : 'Returned', value: formatUtcTime(ended_at) }] : []),
  ];
}

const railNames: Readonly<Record<PayoutRailName, string>> = {
  chain: 'Transfer on the chain',
  mock: 'Mock payout of a development service: no money moved',
};

const statusNames: Readonly<Record<PayoutStatus, string>> = {
  requested: 'Requested',
  sending: 'Being sent',
  paid: 'Paid out',
  returned: 'Returned to your income',
};

const notes: Readonly<Record<PayoutStatus, string>> = {
  requested: 'The payout has not ended yet. Download the receipt again when it has.',
  sending: 'The payout has not ended yet. Download the receipt again when it has.',
  paid: 'The books of this service record the payout as complete.',
  returned: 'The transfer was not carried out, and the amount is available again.',
};
