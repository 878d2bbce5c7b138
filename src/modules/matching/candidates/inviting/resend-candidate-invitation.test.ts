import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { answerByLink, createCandidateInvitation, readInvitationToken } from '#test/modules/candidates.ts';
import { logInAgain } from '#test/users.ts';

const app = await startApp();
const day_ms = 86_400_000;

test('an email is sent again a day later, and is then valid for fourteen more days', async () => {
  const { org, path, email } = await createCandidateInvitation(app);
  const resend = (token: string) => app.request('POST', `${path}/resend`, { token });
  const first = await readInvitationToken(app, email);
  expect((await resend(org.token)).body.code).toBe('candidate_emailed_today');
  app.clock.advance(day_ms);
  const token = await logInAgain(app, org);
  const { status, body } = await resend(token);
  const expires_at = new Date(app.clock.now().getTime() + 14 * day_ms).toISOString();
  expect([status, body.expires_at, body.status]).toEqual([202, expires_at, 'sent']);
  expect(await readInvitationToken(app, email)).toBe(first);
  expect((await app.readMails()).filter(({ to }) => to === email).length).toBe(2);
  await answerByLink(app, first, 'decline');
  app.clock.advance(day_ms);
  const late = await resend(await logInAgain(app, org));
  expect([late.status, late.body.code]).toEqual([409, 'candidate_invitation_closed']);
});
