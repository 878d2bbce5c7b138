import { Worker } from 'node:worker_threads';
import { createBoundedRunner } from '#lib/concurrency/bounded-runner.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import type { Posting } from './job-posting.ts';
import { parseDocument } from './parse-document.ts';
import type { ParsedPart } from './parse-thread.ts';

/** What is longer is read by a thread, because reading a megabyte takes longer than a turn of the event loop may. */
const turn_bytes_max = 100_000;

const timeout_ms = 30_000;
const heap_mb_max = 384;

/** A thread needs up to 20 times the bytes of its document. */
const getRunner = instanceMemory(() => createBoundedRunner(2));

/**
 * Reads the postings of a page or a board.
 *
 * @returns why there are none, as a sentence without its subject, if the document has none.
 */
export async function readDocument(
  services: Pick<Services, 'memory'>,
  body: Buffer,
): Promise<readonly Posting[] | string> {
  if (body.length <= turn_bytes_max) return parseDocument(body);
  return getRunner(services)(() => parseInThread(body));
}

async function parseInThread(body: Buffer): Promise<readonly Posting[] | string> {
  const thread = new Worker(new URL('./parse-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heap_mb_max },
  });
  let timer: NodeJS.Timeout | undefined;
  const postings: Posting[] = [];
  try {
    return await new Promise((resolve, reject) => {
      const giveUp = () => resolve('has more than can be read');
      timer = setTimeout(giveUp, timeout_ms);
      thread.on('message', (part: ParsedPart) => {
        if (typeof part === 'string') return resolve(part);
        if (part.length === 0) return resolve(postings);
        postings.push(...part);
        return thread.postMessage('next', []);
      });
      thread.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? giveUp() : reject(error),
      );
      thread.on('exit', () => reject(new Error('the thread of a board ended without a result')));
      thread.postMessage(body, []);
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
