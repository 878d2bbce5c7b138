import type { TestApp, TestReply } from '#test/harness.ts';
import type { TestMember, TestOrgUser } from '#test/users.ts';
import { createJob, fillSlots, findStoredMatch, tierMeans } from './matching.ts';

export const day_ms = 86_400_000;

/** A match, and the two sides of it. */
export type TestMatch = {
  readonly match_id: string;
  readonly job_id: string;
  readonly org: TestOrgUser;
  readonly member: TestMember;
};

/** Creates a match of a new organisation and a new member. */
export async function createMatch(app: TestApp, name = 'Harbour Health'): Promise<TestMatch> {
  const org = await app.registerOrgAdmin({ name });
  const member = await app.registerDeployedMember({ mean: fillSlots(tierMeans.strong) });
  const job_id = await createJob(app, org.token, undefined, 'Night nurse');
  await app.drainQueue();
  const { id: match_id } = await findStoredMatch(app, job_id, member.member_id);
  return { match_id, job_id, org, member };
}

/** Creates a match that the member has accepted. */
export async function createAcceptedMatch(app: TestApp, name?: string): Promise<TestMatch> {
  const match = await createMatch(app, name);
  const { match_id, org, member } = match;
  await app.request('PUT', `/matches/${match_id}/status`, {
    token: org.token,
    body: { status: 'org_interested' },
  });
  const { status } = await app.request('POST', `/matches/${match_id}/response`, {
    token: member.token,
    body: { decision: 'accept' },
  });
  if (status !== 200) throw new Error(`the acceptance returned ${status}`);
  return match;
}

/** Creates a match with a placement that began some days ago. */
export async function createPlacement(app: TestApp, days = 0, name?: string): Promise<TestMatch> {
  const match = await createAcceptedMatch(app, name);
  const placed_at = new Date(app.clock.now().getTime() - days * day_ms).toISOString();
  const { status } = await sendOutcome(app, match, { outcome: 'placed', placed_at });
  if (status !== 201) throw new Error(`the placement returned ${status}`);
  return match;
}

export const sendOutcome = (
  app: TestApp,
  { match_id, org }: TestMatch,
  body: object,
  token: string | undefined = org.token,
): Promise<TestReply> =>
  app.request('POST', `/matches/${match_id}/outcome`, { ...(token && { token }), body });

export const sendFeedback = (
  app: TestApp,
  { match_id }: TestMatch,
  token: string | undefined,
  body: object,
): Promise<TestReply> =>
  app.request('POST', `/matches/${match_id}/feedback`, { ...(token && { token }), body });

export const readFeedback = (app: TestApp, { match_id }: TestMatch, token: string): Promise<TestReply> =>
  app.request('GET', `/matches/${match_id}/feedback`, { token });
