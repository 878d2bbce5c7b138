import * as books from '#modules/income/books';
import * as reads from '#modules/income/reads';
import type { Page } from '../serving/page.ts';

/** The receipt of a read of the member's data, as a PDF. */
export const readReceiptPage: Page = {
  show: async ({ call, params }) => {
    const file = await call(reads.exportMemberReceipt, { read_id: params['read_id'] ?? '' });
    return { kind: 'download', file, media_type: 'application/pdf' };
  },
};

export const payoutReceiptPage: Page = {
  show: async ({ call, params }) => {
    const file = await call(books.exportPayoutReceipt, { payout_id: params['payout_id'] ?? '' });
    return { kind: 'download', file, media_type: 'application/pdf' };
  },
};
