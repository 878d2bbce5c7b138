import type { TestApp, TestReply } from '#test/harness.ts';
import { createEmail, type TestOrgUser } from '#test/users.ts';
import { createJob } from './jobs.ts';

/** An invitation to a job, and how its organisation reaches it. */
export type TestInvitation = {
  readonly org: TestOrgUser;
  readonly job_id: string;
  readonly id: string;
  readonly email: string;
  /** The path of the invitation below /api/v1. */
  readonly path: string;
};

/** Invites an address, by default a new one, to a new job of a new organisation. */
export async function createCandidateInvitation(
  app: TestApp,
  { email = createEmail(), org, ...body }: { email?: string; org?: TestOrgUser; external_ref?: string } = {},
): Promise<TestInvitation> {
  const inviting = org ?? (await app.registerOrgAdmin());
  const { id: job_id } = await createJob(app, inviting.token);
  const { token } = inviting;
  const reply = await inviteCandidate(app, { token, job_id }, { email, ...body });
  if (reply.status !== 201) throw new Error(`the invitation gave status ${reply.status}`);
  const { id } = reply.body;
  return { org: inviting, job_id, id, email, path: `/orgs/me/jobs/${job_id}/invitations/${id}` };
}

/** An invitation, the token of its link, and what its organisation reads of it: the status and the address. */
export async function createSeenInvitation(
  app: TestApp,
  overrides: Parameters<typeof createCandidateInvitation>[1] = {},
) {
  const invitation = await createCandidateInvitation(app, overrides);
  const { org, path, email } = invitation;
  const link = await readInvitationToken(app, email);
  const readSeen = async (): Promise<readonly [status: string, email: string | null]> => {
    const { body } = await app.request('GET', path, { token: org.token });
    return [body.status, body.email];
  };
  return { ...invitation, link, readSeen };
}

export function inviteCandidate(
  app: TestApp,
  { token, job_id }: { readonly token: string; readonly job_id: string },
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestReply> {
  return app.request('POST', `/orgs/me/jobs/${job_id}/invitations`, { token, body, headers });
}

/** Reads the token in the newest invitation to an address; undefined if there is none. */
export async function readInvitationToken(app: TestApp, email: string): Promise<string | undefined> {
  await app.drainQueue();
  const mail = (await app.readMails()).findLast(
    ({ to, text }) => to.includes(email) && text.includes('/invitation?'),
  );
  return /\/invitation\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
}

/** Answers by the link, with or without the access token of an account. */
export function answerByLink(
  app: TestApp,
  link: string | undefined,
  decision: string,
  token?: string,
): Promise<TestReply> {
  const body = { token: link, decision };
  return app.request('POST', '/invitations/answer', { body, ...(token !== undefined && { token }) });
}

type SentData = { readonly invitation_id: string; readonly status: string };

/** The data of the events that a stream of an organisation has, the oldest first. */
export function readEvents(fetched: TestReply['body']): readonly SentData[] {
  return fetched.deliveries.map((each: { body: string }) => JSON.parse(each.body).data as SentData);
}
