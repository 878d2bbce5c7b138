import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findOrganisationRead } from '#modules/income/earnings';
import { findOrganisation } from '#modules/organisations/orgs';
import { findSettlement } from '#modules/income/payments';
import { file, operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { buildPurchaseReceipt } from './build-purchase-receipt.ts';
import { computePseudonym } from './pseudonym.ts';

export const exportPurchaseReceipt = operation({
  name: 'queries.exportPurchaseReceipt',
  title: 'Download the receipt of a purchase',
  summary:
    'Downloads a tagged PDF about one read that the caller’s organisation has made: what was bought, when, and how it was paid. The member has the pseudonym of the reads.',
  who: orgRoles,
  input: Type.Object({ read_id: field(uuid, 'The id of the read.', sampleIds.entry) }),
  output: { 200: file('application/pdf') },
  refuses: ['read_not_found'],
  samples: { reply: '%PDF-1.7 …' },
  run: async (context, { read_id }) => {
    const { database, caller, config, now } = context;
    const [read, organisation] = await Promise.all([
      findOrganisationRead(database, caller.org_id, read_id),
      findOrganisation(database, caller.org_id),
    ]);
    if (!read || !organisation) throw new Refusal('read_not_found');
    const settlement = read.claim_id === null ? undefined : await findSettlement(database, read.claim_id);
    const pseudonym = computePseudonym(context, caller.org_id, read.member_id);
    // Loaded with the first PDF: few are requested, and a start need not wait for the packages.
    const { renderReceipt } = await import('#platform/pdf/receipt.ts');
    const content = await renderReceipt({
      title: 'Receipt of a purchase',
      publicUrl: config.publicUrl,
      created_at: now(),
      ...buildPurchaseReceipt({ read, settlement, organisation: organisation.name, pseudonym }),
    });
    return { filename: `tessera-purchase-${read.id}.pdf`, content };
  },
});
