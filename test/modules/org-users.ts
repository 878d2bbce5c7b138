import type { OrgRole } from '#lib/caller.ts';
import type { TestApp } from '#test/harness.ts';
import { someEmail } from '#test/people.ts';

/** The token in the newest mail to an address; undefined where there is none. */
export async function mailedToken(app: TestApp, email: string): Promise<string | undefined> {
  await app.drain();
  const mail = (await app.mails()).findLast(({ to }) => to.includes(email));
  return /accept-invitation\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
}

type Listed = {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
};

/** Invites an address, a fresh one unless given. */
export async function invited(
  app: TestApp,
  token: string,
  { email = someEmail(), role = 'org_viewer' }: { readonly email?: string; readonly role?: OrgRole } = {},
): Promise<Listed> {
  const answer = await app.request('POST', '/orgs/me/users', { token, body: { email, role } });
  if (answer.status !== 201)
    throw new Error(`the invitation answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as Listed;
}

/** Everybody in the organisation's list. */
export async function everybody(app: TestApp, token: string): Promise<readonly Listed[]> {
  const answer = await app.request('GET', '/orgs/me/users?limit=100', { token });
  return (answer.body as { data: Listed[] }).data;
}
