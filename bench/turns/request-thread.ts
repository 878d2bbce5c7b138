import { parentPort } from 'node:worker_threads';

/** A request that another thread sends, so that the client takes no turns of the thread that serves it. */
export type ThreadRequest = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** The reply, whose bytes were read and counted. */
export type ThreadReply = { readonly status: number; readonly bytes: number };

parentPort!.on('message', (request: ThreadRequest) => void sendRequest(request));

async function sendRequest({ url, headers }: ThreadRequest): Promise<void> {
  const response = await fetch(url, { headers, redirect: 'manual' });
  let bytes = 0;
  for await (const part of response.body ?? []) bytes += (part as Uint8Array).length;
  parentPort!.postMessage({ status: response.status, bytes } satisfies ThreadReply, []);
}
