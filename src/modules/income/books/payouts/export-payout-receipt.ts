import { Type } from 'typebox';
import { formatMoney } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import { file, operation } from '#platform/operation.ts';
import { formatUtcDate, formatUtcTime } from '#platform/format-utc-time.ts';
import { formatReceiptNumber } from '#platform/pdf/format-receipt-number.ts';
import type { ReceiptContent } from '#platform/pdf/receipt.ts';
import { renderReceipt } from '#platform/pdf/render-receipt.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import type { Payout, PayoutRailName, PayoutStatus } from './rules.ts';
import { findPayout } from './store.ts';

export const exportPayoutReceipt = operation({
  name: 'books.exportPayoutReceipt',
  title: 'Download the receipt of a payout',
  summary:
    'Downloads a tagged PDF about one payout of the caller’s income: the amount, the address that receives it, and what has become of it.',
  who: ['member'],
  input: Type.Object({ payout_id: field(uuid, 'The id of the payout.', sampleIds.entry) }),
  output: { 200: file('application/pdf') },
  refuses: ['payout_not_found'],
  samples: { reply: '%PDF-1.7 …' },
  run: async (context, { payout_id }) => {
    const { database, caller, config, now } = context;
    const payout = await findPayout(database, { holder_id: caller.member_id, id: payout_id });
    if (!payout) throw new Refusal('payout_not_found');
    const content = await renderReceipt(context, {
      title: 'Receipt of a payout',
      publicUrl: config.publicUrl,
      created_at: now(),
      ...buildPayoutReceipt(payout),
    });
    return { filename: `tessera-payout-${payout.id}.pdf`, content };
  },
});

/** Builds the receipt of a payout for the member whose income it was. */
export function buildPayoutReceipt(payout: Payout): ReceiptContent {
  const { amount, requested_at, ended_at, status } = payout;
  const when = formatUtcDate(status === 'paid' ? (ended_at ?? requested_at) : requested_at);
  return {
    summary: summaries[status](formatMoney(amount, 'USD'), when),
    parts: [{ heading: 'The payout', rows: listRows(payout) }],
    notes: [notes[status]],
  };
}

const summaries: Readonly<Record<PayoutStatus, (amount: string, when: string) => string>> = {
  requested: (amount, when) => `You requested ${amount} of your income on ${when}.`,
  sending: (amount, when) => `You requested ${amount} of your income on ${when}, and it is being sent.`,
  paid: (amount, when) => `${amount} of your income was paid out on ${when}.`,
  returned: (amount, when) =>
    `You requested ${amount} on ${when}. It was not sent, and is part of your income again.`,
};

function listRows(payout: Payout) {
  const { id, amount, destination, transaction_hash, rail, status, requested_at, ended_at } = payout;
  return [
    { label: 'Receipt number', value: formatReceiptNumber(id) },
    { label: 'Amount', value: formatMoney(amount, 'USD') },
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
  chain: 'Transfer to a wallet',
  mock: 'A test payout: no money moved',
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
  paid: 'This service has recorded the payout as complete.',
  returned: 'The amount can be paid out again.',
};
