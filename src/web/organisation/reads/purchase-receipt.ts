import * as reads from '#modules/income/reads';
import type { Page } from '../../serving/page.ts';

/** The receipt of a read that the organisation has made, as a PDF. */
export const purchaseReceiptPage: Page = {
  show: async ({ call, params }) => {
    const file = await call(reads.exportOrganisationReceipt, { read_id: params['read_id'] ?? '' });
    return { kind: 'download', file, media_type: 'application/pdf' };
  },
};
