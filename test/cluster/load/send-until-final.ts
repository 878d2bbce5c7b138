import { setTimeout as pause } from 'node:timers/promises';
import type { Send } from './send.ts';

/** A reply that is final: nothing is gained by sending the request again. */
export type FinalReply = { readonly status: number; readonly reply: Readonly<Record<string, unknown>> };

/** Sends a request that is not among the writes that are counted, until it has a final reply. Rejects once `stopping` is aborted. */
export async function sendUntilFinal(
  stopping: AbortSignal,
  send: Send,
  [path, body, token, options]: Readonly<Parameters<Send>>,
): Promise<FinalReply> {
  for (;;) {
    stopping.throwIfAborted();
    const { status, reply } = await send(path, body, token, options).catch(() => ({
      status: 503,
      reply: {},
    }));
    if (status < 500) return { status, reply: reply as FinalReply['reply'] };
    await pause(50);
  }
}
