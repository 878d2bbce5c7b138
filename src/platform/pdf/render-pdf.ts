import { Worker } from 'node:worker_threads';
import { Refusal } from '#lib/refusal.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Memory } from '#platform/platform.ts';
import type { PdfOrder, PdfResult } from './render-thread.ts';

/** A function that renders a PDF, by the file that exports it: the thread loads it from there. */
export type PdfRenderer<Input extends readonly unknown[]> = Pick<PdfOrder, 'file' | 'name'> & {
  readonly input?: Input;
};

/**
 * Names a function that renders a PDF.
 *
 * @example locateRenderer<typeof renderReceipt>(new URL('./receipt.ts', import.meta.url), 'renderReceipt')
 */
export function locateRenderer<Render extends (...input: never[]) => Promise<Buffer>>(
  file: URL,
  name: string,
): PdfRenderer<Parameters<Render>> {
  return { file: file.href, name };
}

/** Documents that are being rendered or wait. Exports are limited before; this also limits what anybody may download. */
const waiting_max = 20;
/** The longest document takes less than two seconds. */
const render_ms_max = 30_000;
/** A thread that has loaded the fonts takes tens of megabytes, so it ends when nobody needs it. */
const idle_ms = 60_000;
const heap_mb_max = 256;

/** What a rendering in progress waits for. */
type Waiting = {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
};

/**
 * Renders a PDF in a thread of its own, because loading the library takes hundreds of milliseconds, and a long report nearly as many, in which
 * this process would serve nobody. The thread starts with the first PDF.
 *
 * @throws Refusal `overloaded` if too many wait, and what the renderer throws.
 */
export async function renderPdf<Input extends readonly unknown[]>(
  services: { readonly memory: Memory },
  { file, name }: PdfRenderer<Input>,
  ...input: Input
): Promise<Buffer> {
  return getThread(services).render({ file, name, input });
}

const getThread = instanceMemory(() => openRenderThread());

function openRenderThread() {
  let running: { readonly thread: Worker; readonly waiting: Map<number, Waiting> } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let count = 0;

  /** Ends the thread. What it has not finished fails. */
  const end = async (reason: Error) => {
    clearTimeout(timer);
    const ended = running;
    running = undefined;
    for (const { reject } of ended?.waiting.values() ?? []) reject(reason);
    await ended?.thread.terminate();
  };
  const watch = (waiting: ReadonlyMap<number, Waiting>) => {
    clearTimeout(timer);
    const reason = new Error('a PDF was not rendered in time');
    timer = setTimeout(() => void end(reason), waiting.size > 0 ? render_ms_max : idle_ms).unref();
  };
  const start = () => {
    const thread = new Worker(new URL('./render-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heap_mb_max },
    });
    const waiting = new Map<number, Waiting>();
    const fail = (error: Error) => running?.thread === thread && void end(error);
    thread.on('message', ({ id, ...result }: PdfResult) => {
      const { resolve, reject } = waiting.get(id)!;
      waiting.delete(id);
      watch(waiting);
      if ('error' in result) reject(result.error);
      else resolve(Buffer.from(result.bytes.buffer, result.bytes.byteOffset, result.bytes.byteLength));
    });
    thread.on('error', fail);
    thread.on('exit', () => fail(new Error('the thread that renders PDFs ended')));
    // An idle thread must not keep the process alive; a request that waits does.
    thread.unref();
    return { thread, waiting };
  };
  return {
    render: (order: Omit<PdfOrder, 'id'>): Promise<Buffer> => {
      running ??= start();
      const { thread, waiting } = running;
      if (waiting.size >= waiting_max) throw new Refusal('overloaded', { headers: { 'retry-after': '5' } });
      const id = count++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        watch(waiting);
        thread.postMessage({ ...order, id } satisfies PdfOrder, []);
      });
    },
    [Symbol.asyncDispose]: () => end(new Error('the service is stopping')),
  };
}
