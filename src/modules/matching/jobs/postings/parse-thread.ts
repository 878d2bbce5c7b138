import { parentPort } from 'node:worker_threads';
import { parseDocument } from './parse-document.ts';
import type { Posting } from './job-posting.ts';

/** What the thread says: some of the postings, or why there are none. The last message has none. */
export type ParsedPart = readonly Posting[] | string;

const part_postings = 50;

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread only');

// The first message is the document, and each further one asks for a part, so that no turn of the other thread receives all of them.
port.once('message', (body: Uint8Array) => {
  const parsed = parseDocument(body);
  let sent = 0;
  const sendPart = () => {
    port.postMessage(typeof parsed === 'string' ? parsed : parsed.slice(sent, (sent += part_postings)));
  };
  port.on('message', sendPart);
  sendPart();
});
