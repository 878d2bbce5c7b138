import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyWebhook } from '../web/assets/verify-webhook.js';
import type { Client } from './client.ts';

/** A server of the organisation that receives webhooks. */
export type WebhookReceiver = {
  /** Waits until so many events were received, at most half a minute. @returns their types in the order of their arrival. */
  waitForEvents(count: number): Promise<readonly string[]>;
  close(): void;
};

const event_types = ['match.proposed', 'match.accepted', 'match.declined', 'attestation.issued'];

/** Starts a server on a free port, and subscribes it to the events of an organisation. It accepts events with a valid signature only. */
export async function receiveWebhooks(organisation: Client): Promise<WebhookReceiver> {
  const received: string[] = [];
  const secrets: string[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const event = verifyWebhook(await readText(request), request.headers, secrets);
    if (event) received.push(event.type);
    response.writeHead(event ? 204 : 401).end();
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { secret } = await organisation.post('/webhooks/', {
    url: `http://127.0.0.1:${port}/tessera`,
    events: event_types,
  });
  secrets.push(secret);
  return {
    waitForEvents: async (count) => {
      for (let attempts = 0; received.length < count && attempts < 300; attempts++) await pause(100);
      return received;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
