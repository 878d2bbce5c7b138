import { parentPort, type MessagePort } from 'node:worker_threads';

/** A document to render: the function, the file that exports it, and what it is called with. */
export type PdfOrder = {
  readonly id: number;
  readonly file: string;
  readonly name: string;
  readonly input: readonly unknown[];
};

/** The rendered document, or why there is none. */
export type PdfResult = { readonly id: number } & (
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly error: Error }
);

/** What the file of a renderer exports. */
type Renderers = Readonly<Record<string, (...input: readonly unknown[]) => Promise<Uint8Array>>>;

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread only');

port.on('message', (order: PdfOrder) => void renderOrder(port, order));

async function renderOrder(to: MessagePort, { id, file, name, input }: PdfOrder): Promise<void> {
  try {
    // Callers name files and functions of their own, never words of a client.
    const renderers = (await import(file)) as Renderers;
    const bytes = new Uint8Array(await renderers[name]!(...input));
    to.postMessage({ id, bytes } satisfies PdfResult, [bytes.buffer]);
  } catch (error) {
    to.postMessage({ id, error: error as Error } satisfies PdfResult, []);
  }
}
