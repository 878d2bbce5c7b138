import { Refusal } from '#lib/refusal.ts';
import { findRead } from '#modules/income/books';
import { operation } from '#platform/operation.ts';
import { buildMemberReceipt } from './build-receipt.ts';
import { receiptOperation, renderPdf } from './render-pdf.ts';

export const exportMemberReceipt = operation({
  name: 'reads.exportMemberReceipt',
  title: 'Download the receipt of a read',
  summary:
    'Downloads a tagged PDF about one read of the caller’s identity data: which organisation read what, when, what it paid, and what of it is the caller’s.',
  who: ['member'],
  ...receiptOperation,
  run: async (context, { read_id }) => {
    const { database, caller, now } = context;
    const read = await findRead(database, caller.member_id, read_id);
    if (!read) throw new Refusal('read_not_found');
    const content = await renderPdf(context, 'Receipt of a read', buildMemberReceipt(read, now()));
    return { filename: `tessera-read-${read.id}.pdf`, content };
  },
});
