import { randomUUID } from 'node:crypto';
import type { Client, Json } from './client.ts';

const data_type = 'trait_profile';

/** What a paid read has shown, for the output of the demonstration. */
export type SoldReads = {
  readonly free_reads: number;
  /** What the service asked for when no free read was left, in US dollars. */
  readonly price: number;
  readonly share_percent: number;
  readonly result: Json;
  readonly earnings: Json;
};

/** The member sells their trait profile; the organisation uses its free reads, is asked for a payment, and pays once by the mock rail. */
export async function buyReads(organisation: Client, member: Client, member_id: string): Promise<SoldReads> {
  await member.post('/members/me/consent', {
    consent_type: 'identity_queries',
    granted: true,
    version: '1.0',
  });
  for (const category of [data_type, 'archetype'])
    await member.put('/orgs/queries/consent/category', { category, approved: true });
  const query = { member_id, data_type };
  const { free_reads, pricing } = await useFreeReads(organisation, query);
  const payment = { tx_hash: randomUUID(), timestamp: Math.floor(Date.now() / 1000) };
  const paid = await organisation.send('POST', '/orgs/queries/credential', query, {
    'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64'),
  });
  if (paid.status !== 200) throw new Error(`the paid read failed with status ${paid.status}`);
  return {
    free_reads,
    price: pricing.price,
    share_percent: pricing.share_percent,
    result: paid.reply,
    earnings: await member.get('/members/me/earnings'),
  };
}

/** No tier has more free reads than 50. */
const free_reads_max = 50;

async function useFreeReads(organisation: Client, query: object) {
  for (let free_reads = 0; free_reads <= free_reads_max; free_reads++) {
    const { status, reply } = await organisation.send('POST', '/orgs/queries/credential', query);
    if (status === 402) return { free_reads, pricing: reply.pricing };
    if (status !== 200) throw new Error(`a free read failed with status ${status}: ${reply?.detail}`);
  }
  throw new Error('the free reads have no end');
}
