import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { file, operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { buildPayoutReceipt } from './build-payout-receipt.ts';
import { findPayout } from './store.ts';

export const exportPayoutReceipt = operation({
  name: 'ledger.exportPayoutReceipt',
  title: 'Download the receipt of a payout',
  summary:
    'Downloads a tagged PDF about one payout of the caller’s income: the amount, the address that receives it, and what has become of it.',
  who: ['member'],
  input: Type.Object({ payout_id: field(uuid, 'The id of the payout.', sampleIds.entry) }),
  output: { 200: file('application/pdf') },
  refuses: ['payout_not_found'],
  samples: { reply: '%PDF-1.7 …' },
  run: async ({ database, caller, config, now }, { payout_id }) => {
    const payout = await findPayout(database, { holder_id: caller.member_id, id: payout_id });
    if (!payout) throw new Refusal('payout_not_found');
    // Loaded with the first PDF: few are requested, and a start need not wait for the packages.
    const { renderReceipt } = await import('#platform/pdf/receipt.ts');
    const content = await renderReceipt({
      title: 'Receipt of a payout',
      publicUrl: config.publicUrl,
      created_at: now(),
      ...buildPayoutReceipt(payout),
    });
    return { filename: `tessera-payout-${payout.id}.pdf`, content };
  },
});
