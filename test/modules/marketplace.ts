import type { TestApp, TestReply } from '#test/harness.ts';
import type { TestMember, TestOrgUser } from '#test/users.ts';
import { findAliases, registerReadable } from './reads.ts';

/** A member who sells, an organisation that buys, and the name by which it knows the member. */
export type Market = { readonly member: TestMember; readonly org: TestOrgUser; readonly alias: string };

/** Registers both parties. */
export async function createMarket(
  app: TestApp,
  given: { readonly org?: TestOrgUser } = {},
): Promise<Market> {
  const member = await registerReadable(app);
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
