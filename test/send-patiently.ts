import type { TestReply } from './harness.ts';

const tries_max = 20;

/** Sends a request again if a busy service refuses it, as clients do. */
export async function sendPatiently(send: () => Promise<TestReply>): Promise<TestReply> {
  for (let tries = 1; ; tries++) {
    const reply = await send();
    if (reply.status !== 503 || tries === tries_max) return reply;
  }
}
