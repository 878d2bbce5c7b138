import { randomUUID } from 'node:crypto';
import { recordTopUpFromCommand } from '#modules/income/books';
import type { DataType } from '#modules/income/reads';
import type { TestApp, TestReply } from '../harness.ts';

/** Fills the balance of an organisation as the operator does, by so many US dollars. @returns the reference. */
export async function fillBalance(
  app: TestApp,
  { org_id }: { readonly org_id: string },
  amount: number,
): Promise<string> {
  const reference = `INV-${randomUUID().slice(0, 8).toUpperCase()}`;
  await recordTopUpFromCommand(app.platform, { reference, amount: String(amount), org: org_id });
  return reference;
}

/** Encodes a payment from the balance as a header. */
export function encodeBalancePayment(
  balance_key: string,
  max_price?: number,
): Readonly<Record<string, string>> {
  const text = JSON.stringify({ balance_key, max_price });
  return { 'payment-signature': Buffer.from(text).toString('base64') };
}

/** Reads a member for a payment from the balance. */
export function buyRead(
  app: TestApp,
  { token }: { readonly token: string },
  member_id: string,
  {
    data_type = 'trait_profile',
    key = randomUUID(),
  }: { readonly data_type?: DataType; readonly key?: string } = {},
): Promise<TestReply> {
  const headers = encodeBalancePayment(key);
  return app.request('POST', '/orgs/queries/credential', { token, body: { member_id, data_type }, headers });
}

/** What the balance of an organisation has left, by the API. */
export async function readLeft(app: TestApp, { token }: { readonly token: string }): Promise<number> {
  const { body } = await app.request('GET', '/orgs/me/balance', { token });
  return body.balance as number;
}
