import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createCandidateInvitation, inviteCandidate } from '#test/modules/candidates.ts';
import { logInAgain } from '#test/users.ts';

const app = await startApp();
const day_ms = 86_400_000;

test('an address is invited to a job once, and again a day after the end of the invitation', async () => {
  const { org, job_id, email, path } = await createCandidateInvitation(app);
  const send = (token: string) => inviteCandidate(app, { token, job_id }, { email });
  expect((await send(org.token)).body.code).toBe('invitation_exists');
  const cancelled = await app.request('POST', `${path}/cancel`, { token: org.token });
  expect([cancelled.status, cancelled.body.status, cancelled.body.email]).toEqual([200, 'cancelled', null]);
  expect((await app.request('POST', `${path}/cancel`, { token: org.token })).body).toEqual(cancelled.body);
  const soon = await send(org.token);
  expect([soon.status, soon.body.code, soon.headers['retry-after']]).toEqual([
    429,
    'candidate_emailed_today',
    '86400',
  ]);
  app.clock.advance(day_ms);
  expect((await send(await logInAgain(app, org))).status).toBe(201);
});
