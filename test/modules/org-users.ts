import type { OrgRole } from '#lib/caller.ts';
import type { TestApp } from '#test/harness.ts';
import { createEmail } from '#test/users.ts';

/** Reads the token in the newest email to an address; undefined if there is none. */
export async function readMailedToken(app: TestApp, email: string): Promise<string | undefined> {
  await app.drainQueue();
  // Emails of one moment are sent in parallel, so the last one need not be the invitation.
  const mail = (await app.readMails()).findLast(
    ({ to, text }) => to.includes(email) && text.includes('/accept-invitation?'),
  );
  return /accept-invitation\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
}

type ListedUser = {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
};

/** Invites an address, by default a new one. */
export async function createInvitation(
  app: TestApp,
  token: string,
  { email = createEmail(), role = 'org_viewer' }: { readonly email?: string; readonly role?: OrgRole } = {},
): Promise<ListedUser> {
  const response = await app.request('POST', '/orgs/me/users', { token, body: { email, role } });
  if (response.status !== 201)
    throw new Error(`the invitation gave status ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body as ListedUser;
}

/** Reads the users and open invitations of an organisation, at most 100. */
export async function readOrgUsers(app: TestApp, token: string): Promise<readonly ListedUser[]> {
  const response = await app.request('GET', '/orgs/me/users?limit=100', { token });
  return (response.body as { data: ListedUser[] }).data;
}
