import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { file, operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { buildReadReceipt } from './build-read-receipt.ts';
import { findRead } from './store.ts';

export const exportReadReceipt = operation({
  name: 'earnings.exportReadReceipt',
  title: 'Download the receipt of a read',
  summary:
    'Downloads a tagged PDF about one read of the caller’s identity data: which organisation read what, when, what it paid, and what of it is the caller’s.',
  who: ['member'],
  input: Type.Object({ read_id: field(uuid, 'The id of the read.', sampleIds.entry) }),
  output: { 200: file('application/pdf') },
  refuses: ['read_not_found'],
  samples: { reply: '%PDF-1.7 …' },
  run: async ({ database, caller, config, now }, { read_id }) => {
    const read = await findRead(database, caller.member_id, read_id);
    if (!read) throw new Refusal('read_not_found');
    // Loaded with the first PDF: few are requested, and a start need not wait for the packages.
    const { renderReceipt } = await import('#platform/pdf/receipt.ts');
    const content = await renderReceipt({
      title: 'Receipt of a read',
      publicUrl: config.publicUrl,
      created_at: now(),
      ...buildReadReceipt(read, now()),
    });
    return { filename: `tessera-read-${read.id}.pdf`, content };
  },
});
