import http from 'node:http';
import { sendToParent, waitForMessages } from './parent.ts';

type Order = { readonly url: string; readonly endpoints: number; readonly requests: number };

const body = JSON.stringify({ data: 'x'.repeat(400) });
const at_a_time = 5;

/** Sends requests to endpoints, five at a time to each, on connections that are kept. @returns the milliseconds that it took. */
async function sendRequests({ url, endpoints, requests }: Order): Promise<number> {
  const started = performance.now();
  let left = requests;
  const sendAll = async (agent: http.Agent) => {
    while (left-- > 0) await sendOne(url, agent);
  };
  await Promise.all(
    Array.from({ length: endpoints }, async () => {
      const agent = new http.Agent({ keepAlive: true });
      await Promise.all(Array.from({ length: at_a_time }, () => sendAll(agent)));
      agent.destroy();
    }),
  );
  return performance.now() - started;
}

function sendOne(url: string, agent: http.Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', resolve).on('error', reject);
    });
    request.on('error', reject).end(body);
  });
}

process.on('message', (order: Order | string) => {
  if (typeof order === 'string') return;
  void sendRequests(order).then(sendToParent);
});
waitForMessages();
