import { expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createMatch, type TestMatch } from '#test/modules/feedback.ts';

const app = await startApp();

const decideMatching = (token: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type: 'matching', granted, version: '1.0' },
  });

async function listOpenIds({ job_id, org }: TestMatch): Promise<readonly string[]> {
  const query = 'limit=100';
  const { body } = await app.request('GET', `/orgs/me/jobs/${job_id}/matches?${query}`, { token: org.token });
  return body.data
    .filter((match: { match_status: string }) => match.match_status === 'pending_review')
    .map((match: { id: string }) => match.id);
}

it('who opts out leaves the shortlist when the withdrawal is processed, cannot be chosen even before, and is not found again', async () => {
  const match = await createMatch(app);
  expect(await listOpenIds(match)).toContain(match.match_id);
  expect((await decideMatching(match.member.token, false)).status).toBe(201);
  // Before any task has run.
  const chosen = await app.request('PUT', `/matches/${match.match_id}/status`, {
    token: match.org.token,
    body: { status: 'org_interested' },
  });
  expect(chosen.status).toBe(409);
  await app.drainQueue();
  expect(await listOpenIds(match)).not.toContain(match.match_id);
  // A new computation of the job, and a new job, find nobody.
  const changed = await app.request('PATCH', `/orgs/me/jobs/${match.job_id}`, {
    token: match.org.token,
    body: { trait_priorities: { persistence: 0.9 } },
  });
  expect(changed.status).toBe(200);
  await app.drainQueue();
  expect(await listOpenIds(match)).not.toContain(match.match_id);
  const own = await app.request('GET', '/members/me/matches?status=pending_review', {
    token: match.member.token,
  });
  expect([own.status, own.body.code]).toEqual([403, 'engagement_level_too_low']);
});
