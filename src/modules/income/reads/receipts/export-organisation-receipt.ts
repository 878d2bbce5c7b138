import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findOrganisationRead } from '#modules/income/books';
import { findSettlement } from '#modules/income/payments';
import { findOrganisation } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { computePseudonym } from '../pseudonym.ts';
import { buildOrganisationReceipt } from './build-receipt.ts';
import { receiptOperation, renderPdf } from './render-pdf.ts';

export const exportOrganisationReceipt = operation({
  name: 'reads.exportOrganisationReceipt',
  title: 'Download the receipt of a purchase',
  summary:
    'Downloads a tagged PDF about one read that the caller’s organisation has made: what was bought, when, and how it was paid. The member has the pseudonym of the reads.',
  who: orgRoles,
  ...receiptOperation,
  run: async (context, { read_id }) => {
    const { database, caller } = context;
    const [read, organisation] = await Promise.all([
      findOrganisationRead(database, caller.org_id, read_id),
      findOrganisation(database, caller.org_id),
    ]);
    if (!read || !organisation) throw new Refusal('read_not_found');
    const settlement = read.payment_id === null ? undefined : await findSettlement(database, read.payment_id);
    const pseudonym = computePseudonym(context, caller.org_id, read.known_as ?? read.member_id);
    const receipt = buildOrganisationReceipt({
      read,
      settlement,
      organisation: organisation.name,
      pseudonym,
    });
    const content = await renderPdf(context, 'Receipt of a purchase', receipt);
    return { filename: `tessera-purchase-${read.id}.pdf`, content };
  },
});
