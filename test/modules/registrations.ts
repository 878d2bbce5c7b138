import type { TestApp } from '../harness.ts';

/** Reads the token of the link that opens an account from the email to an address. */
export async function readAccountLink(
  app: Pick<TestApp, 'drainQueue' | 'readMails'>,
  email: string,
): Promise<string> {
  await app.drainQueue();
  const mail = (await app.readMails()).findLast(({ to }) => to.includes(email));
  const token = /open-account\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (token === undefined) throw new Error(`no link was emailed to ${email}`);
  return token;
}

/** Requests an account, and reads the token of its link. */
export async function requestAccountLink(app: TestApp, email: string): Promise<string> {
  const { status } = await app.request('POST', '/auth/registrations', { body: { email } });
  if (status !== 202) throw new Error(`requesting an account returned ${status}`);
  return readAccountLink(app, email);
}
