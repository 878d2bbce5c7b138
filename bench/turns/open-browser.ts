import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ThreadReply, ThreadRequest } from './request-thread.ts';

export type Browser = {
  request(address: string, headers: ThreadRequest['headers']): Promise<ThreadReply>;
};

/** Opens a client that has a thread of its own. */
export function openBrowser(cleaning: AsyncDisposableStack, origin: string): Browser {
  const thread = new Worker(new URL('./request-thread.ts', import.meta.url));
  cleaning.defer(async () => void (await thread.terminate()));
  return {
    request: async (address, headers) => {
      thread.postMessage({ url: origin + address, headers } satisfies ThreadRequest, []);
      const [reply] = (await once(thread, 'message')) as [ThreadReply];
      return reply;
    },
  };
}
