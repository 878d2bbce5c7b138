import { Worker } from 'node:worker_threads';
import type { PdfSettings } from './paper.ts';
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

/** Documents that are being rendered or wait. */
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

/** Too many documents wait for the thread. */
export class PdfQueueFullError extends Error {}

/** A thread that renders documents, and ends when it is disposed. */
export type RenderThread = AsyncDisposable & {
  readonly render: <Input extends readonly unknown[]>(
    renderer: PdfRenderer<Input>,
    ...input: Input
  ) => Promise<Buffer>;
};

/**
 * Opens a thread that renders PDFs, because loading the library takes hundreds of milliseconds, and a long document nearly as many, in which the
 * process would do nothing else. The thread starts with the first document, and ends after a minute without one. At most twenty documents wait.
 *
 * @param page_note A sentence at the top of every page, and before the title of the document.
 *
 * `render` fails with {@link PdfQueueFullError} if more would wait, and else with what the renderer throws.
 */
export function openRenderThread(page_note?: string): RenderThread {
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
      workerData: { page_note } satisfies PdfSettings,
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
    render: async ({ file, name }, ...input) => {
      running ??= start();
      const { thread, waiting } = running;
      if (waiting.size >= waiting_max) throw new PdfQueueFullError(`${waiting_max} documents wait`);
      const id = count++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        watch(waiting);
        thread.postMessage({ id, file, name, input } satisfies PdfOrder, []);
      });
    },
    [Symbol.asyncDispose]: () => end(new Error('the thread that renders PDFs was closed')),
  };
}
