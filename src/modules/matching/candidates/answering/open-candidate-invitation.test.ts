import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createSeenInvitation } from '#test/modules/candidates.ts';

const app = await startApp();

const open = (link: string | undefined) =>
  app.request('POST', '/invitations/open', { body: { token: link } });

test('the link shows who invites to what, without an account, and the organisation does not learn of it', async () => {
  const org = await app.registerOrgAdmin({ name: 'Lakeside Clinic' });
  const { link, readSeen, email } = await createSeenInvitation(app, { org });
  const { status, body } = await open(link);
  expect([status, body]).toMatchObject([
    200,
    {
      organisation_name: 'Lakeside Clinic',
      organisation_domain: null,
      job_title: 'Night nurse',
      job_is_open: true,
      status: 'sent',
    },
  ]);
  expect(JSON.stringify(body)).not.toContain(email);
  expect(await readSeen()).toEqual(['sent', email]);
  expect((await open('invented')).body.code).toBe('candidate_invitation_not_found');
});
