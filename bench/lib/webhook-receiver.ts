import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendToParent, waitForMessages } from './parent.ts';

/** The parent's order: report when so many requests came, or report all that came since the last order of this kind. */
export type ReceiverOrder = { readonly report_after: number } | { readonly report: 'receipts' };

/** When each delivery arrived first, by the match that it names, in nanoseconds of the machine's monotonic clock. */
export type Receipts = readonly (readonly [match_id: string, arrived_ns: number])[];

let left = Infinity;
let receipts = new Map<string, number>();
let held: ServerResponse[] = [];

/** Receives webhooks like a server that works, one that is slow (/slow/1000), one that fails (/500), or one that never replies (/hang). */
const server = createServer((request, response) => {
  const arrived_ns = Number(process.hrtime.bigint());
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => (body += part));
  request.on('end', () => {
    if (request.url === '/hang') held.push(response);
    else if (request.url === '/500') response.writeHead(500).end();
    else if (request.url?.startsWith('/slow/'))
      setTimeout(() => receive(response, body, arrived_ns), Number(request.url.split('/')[2]));
    else receive(response, body, arrived_ns);
  });
});
server.keepAliveTimeout = 30_000;
server.listen(0, '127.0.0.1', () => sendToParent((server.address() as AddressInfo).port));

process.on('message', (order: ReceiverOrder) => {
  if ('report_after' in order) {
    left = order.report_after;
    receipts = new Map();
  } else if ('report' in order) {
    sendToParent([...receipts]);
    receipts = new Map();
    for (const response of held.splice(0)) response.destroy();
    held = [];
  }
});
waitForMessages();

function receive(response: ServerResponse, body: string, arrived_ns: number): void {
  response.writeHead(204).end();
  const id = /"match_id":"([^"]+)"/.exec(body)?.[1] ?? '';
  if (!receipts.has(id)) receipts.set(id, arrived_ns);
  if (--left === 0) sendToParent(Number(process.hrtime.bigint()));
}
