import type { OrgRole } from '#lib/caller.ts';
import type { TestApp } from '#test/harness.ts';
import { createEmail } from '#test/users.ts';

/** The token in the newest mail to an address; undefined where there is none. */
export async function readMailedToken(app: TestApp, email: string): Promise<string | undefined> {
  await app.drainQueue();
  const mail = (await app.readMails()).findLast(({ to }) => to.includes(email));
  return /accept-invitation\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
}

type ListedUser = {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
};

/** Invites an address, a fresh one unless given. */
export async function createInvitation(
  app: TestApp,
  token: string,
  { email = createEmail(), role = 'org_viewer' }: { readonly email?: string; readonly role?: OrgRole } = {},
): Promise<ListedUser> {
  const answer = await app.request('POST', '/orgs/me/users', { token, body: { email, role } });
  if (answer.status !== 201)
    throw new Error(`the invitation answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as ListedUser;
}

/** Everybody in the organisation's list. */
export async function readOrgUsers(app: TestApp, token: string): Promise<readonly ListedUser[]> {
  const answer = await app.request('GET', '/orgs/me/users?limit=100', { token });
  return (answer.body as { data: ListedUser[] }).data;
}
