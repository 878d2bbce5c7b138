import { openRenderThread, PdfQueueFullError, type PdfRenderer } from '@tessera/pdf/render-pdf';
import { Refusal } from '#lib/refusal.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Memory } from '#platform/platform.ts';

const sandbox_note = 'Sandbox: the people, payments and time in this document are made up.';

const getThread = instanceMemory(({ config }) => openRenderThread(config.sandbox ? sandbox_note : undefined));

/**
 * Renders a PDF in the thread of this instance. Exports are limited before; the limit of the thread is also that of what anybody may download.
 *
 * @throws Refusal `overloaded` if too many wait, and what the renderer throws.
 */
export async function renderPdf<Input extends readonly unknown[]>(
  services: { readonly memory: Memory },
  renderer: PdfRenderer<Input>,
  ...input: Input
): Promise<Buffer> {
  try {
    return await getThread(services).render(renderer, ...input);
  } catch (error) {
    if (!(error instanceof PdfQueueFullError)) throw error;
    throw new Refusal('overloaded', { headers: { 'retry-after': '5' } });
  }
}
