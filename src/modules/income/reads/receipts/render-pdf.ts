import { Type } from 'typebox';
import { file } from '#platform/operation.ts';
import type { ReceiptContent } from '#platform/pdf/receipt.ts';
import { renderReceipt } from '#platform/pdf/render-receipt.ts';
import type { Services } from '#platform/platform.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';

/** What the operations of both sides have in common. */
export const receiptOperation = {
  input: Type.Object({ read_id: field(uuid, 'The id of the read.', sampleIds.entry) }),
  output: { 200: file('application/pdf') },
  refuses: ['read_not_found'],
  samples: { reply: '%PDF-1.7 …' },
} as const;

/** Renders the receipt of a read. */
export async function renderPdf(services: Services, title: string, receipt: ReceiptContent): Promise<Buffer> {
  const { config, now } = services;
  return renderReceipt(services, {
    title,
    publicUrl: config.publicUrl,
    created_at: now(),
    ...receipt,
  });
}
