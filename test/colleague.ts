import type { OrgRole } from '#lib/caller.ts';
import { createUser } from '#modules/access/accounts';
import type { TestApp } from './harness.ts';
import { password, createEmail } from './users.ts';

/** Creates a user of an organisation in a role, and signs the user in. */
export async function createColleague(app: TestApp, org_id: string, role: OrgRole = 'org_viewer') {
  const email = createEmail();
  const { id } = await createUser(app.platform, { email, password, role, org_id, name: undefined });
  const reply = await app.request('POST', '/auth/login', { body: { email, password } });
  const { access_token } = reply.body as { access_token: string };
  return { token: access_token, user_id: id, org_id, email, cookies: reply.cookies };
}
