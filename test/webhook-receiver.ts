import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../src/web/assets/verify-webhook.js';
import { cleanUpAfterFile } from './clean-up.ts';

/** A delivery as a receiver got it. `event` is undefined if the signature is wrong. */
export type ReceivedDelivery = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly event: ReturnType<typeof verifyWebhook>;
};

export type WebhookReceiver = {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedDelivery[];
  /** The secrets that it accepts. If there are none, it verifies nothing. */
  secrets: readonly string[];
  /** Replies to a verified delivery; by default with 200 and `ok`. */
  reply: (response: ServerResponse, delivery: ReceivedDelivery) => void;
};

/** Starts a server that receives webhooks over HTTP and verifies them with the helper of the documents. Closed after the test file. */
export async function startWebhookReceiver(host = '127.0.0.1', port = 0): Promise<WebhookReceiver> {
  const server = createServer((request, response) => void receive(request, response));
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    const event = verifyWebhook(text, request.headers, receiver.secrets);
    const delivery = { path: request.url ?? '', headers: request.headers, text, event };
    receiver.received.push(delivery);
    if (!event && receiver.secrets.length > 0) return response.writeHead(401).end('the signature is wrong');
    receiver.reply(response, delivery);
    return undefined;
  };
  await new Promise<void>((resolve) => void server.listen(port, host, resolve));
  cleanUpAfterFile(async () => {
    server.close();
    server.closeAllConnections();
  });
  const at = (server.address() as AddressInfo).port;
  const receiver: WebhookReceiver = {
    url: `http://${host}:${at}`,
    port: at,
    received: [],
    secrets: [],
    reply: (response) => response.end('ok'),
  };
  return receiver;
}
