import { randomUUID } from 'node:crypto';
import type { Client, Json } from './client.ts';

const data_type = 'trait_profile';

/** What a paid read has shown, for the output of the demonstration. */
export type SoldReads = {
  /** What was paid, in US dollars. */
  readonly price: number;
  readonly result: Json;
  readonly earnings: Json;
};

/** The member sells their trait profile; the organisation reads it for nothing once, and pays once by the mock rail. */
export async function buyReads(organisation: Client, member: Client, member_id: string): Promise<SoldReads> {
  await member.post('/members/me/consent', {
    consent_type: 'identity_queries',
    granted: true,
    version: '1.0',
  });
  for (const category of [data_type, 'archetype'])
    await member.put('/orgs/queries/consent/category', { category, approved: true });
  const query = { member_id, data_type };
  const free = await organisation.send('POST', '/orgs/queries/credential', query);
  if (free.status !== 200) throw new Error(`the free read failed with status ${free.status}`);
  const payment = { tx_hash: randomUUID(), timestamp: Math.floor(Date.now() / 1000) };
  const paid = await organisation.send('POST', '/orgs/queries/credential', query, {
    'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64'),
  });
  if (paid.status !== 200) throw new Error(`the paid read failed with status ${paid.status}`);
  return {
    price: (await organisation.get('/orgs/queries/reads')).data[0].price,
    result: paid.reply,
    earnings: await member.get('/members/me/earnings'),
  };
}
