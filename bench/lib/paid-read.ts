import { randomUUID } from 'node:crypto';
import type { Reader } from './readable-member.ts';
import type { Service } from './service.ts';

/** The path of a paid read. */
export const read_path = '/api/v1/orgs/queries/credential';

/** The headers of a paid read, with a new payment of the mock rail. */
export function buildReadHeaders({ token }: Reader): Readonly<Record<string, string>> {
  const payment = { tx_hash: randomUUID(), timestamp: Math.floor(Date.now() / 1000) };
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64'),
  };
}

/** The body of a read of the reader's match. */
export function buildReadBody({ alias }: Reader): string {
  return JSON.stringify({ member_id: alias, data_type: 'trait_profile' });
}

/** Makes a paid read. @returns the body of its reply. @throws Error with the body of a refusal. */
export async function fetchPaidRead({ port }: Pick<Service, 'port'>, reader: Reader): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${read_path}`, {
    method: 'POST',
    headers: buildReadHeaders(reader),
    body: buildReadBody(reader),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(body);
  return body;
}
