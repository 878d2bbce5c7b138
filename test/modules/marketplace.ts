import type { DataType } from '#modules/income/reads';
import type { TestApp, TestReply } from '#test/harness.ts';
import type { TestMember, TestOrgUser } from '#test/users.ts';
import { findAliases, registerReadable } from './reads.ts';

/** A member who sells, an organisation that buys, and the name by which it knows the member. */
export type Market = { readonly member: TestMember; readonly org: TestOrgUser; readonly alias: string };

/** Registers both parties. */
export async function createMarket(
  app: TestApp,
  given: { readonly org?: TestOrgUser; readonly categories?: readonly DataType[] } = {},
): Promise<Market> {
  const member = await registerReadable(app, given.categories);
  const org = given.org ?? (await app.registerOrgAdmin());
  const [alias] = await findAliases(app, org, [member]);
  return { member, org, alias: alias! };
}

/** Buys a trait profile on the mock rail. */
export function buyProfile(app: TestApp, { org, alias }: Market, price_aud: number): Promise<TestReply> {
  return app.request('POST', '/marketplace/transactions', {
    token: org.token,
    body: { member_id: alias, org_id: org.org_id, data_type: 'trait_profile', price_aud },
  });
}

/** Records a transaction for the member, which is pending until the organisation pays or declines it. */
export function proposeProfile(
  app: TestApp,
  { member, org }: Market,
  price_aud: number,
  {
    data_type = 'trait_profile',
    headers = {},
  }: { readonly data_type?: DataType; readonly headers?: object } = {},
): Promise<TestReply> {
  return app.request('POST', '/marketplace/transactions', {
    token: member.token,
    headers: { ...headers },
    body: { member_id: member.member_id, org_id: org.org_id, data_type, price_aud },
  });
}

/** Records the same transaction for the organisation, which pays it. */
export function payProfile(
  app: TestApp,
  { org, alias }: Pick<Market, 'org' | 'alias'>,
  price_aud: number,
  headers = {},
): Promise<TestReply> {
  return app.request('POST', '/marketplace/transactions', {
    token: org.token,
    headers,
    body: { member_id: alias, org_id: org.org_id, data_type: 'trait_profile', price_aud },
  });
}
