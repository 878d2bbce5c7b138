import type { Memory } from '#platform/platform.ts';
import { locateRenderer } from '@tessera/pdf/render-pdf';
import { renderPdf } from './render-pdf.ts';
import type { Receipt } from './receipt.ts';
import type { renderReceipt as Render } from './receipt.ts';

const renderer = locateRenderer<typeof Render>(new URL('./receipt.ts', import.meta.url), 'renderReceipt');

/** Renders a receipt as a tagged PDF in the thread of PDFs. @returns its bytes. */
export function renderReceipt(services: { readonly memory: Memory }, receipt: Receipt): Promise<Buffer> {
  return renderPdf(services, renderer, receipt);
}
