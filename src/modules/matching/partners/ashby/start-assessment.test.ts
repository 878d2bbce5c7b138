import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { answerByLink, readInvitationToken } from '#test/modules/candidates.ts';
import { createJob } from '#test/modules/jobs.ts';
import { connectAshby, createOrder, listStrangerStatuses, strangerStatuses } from '#test/modules/partners.ts';
import { createEmail } from '#test/users.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const partner = await connectAshby(app);

const build = (job_id: string, email = createEmail()) => ({
  assessment_type_id: job_id,
  candidate: { email },
  application: { ashby_id: `application of ${email}` },
});

test('invites the candidate, and a repeated request finds the same assessment', async () => {
  const { id: job_id } = await createJob(app, partner.org.token);
  const body = build(job_id);
  const first = await partner.call('POST', 'assessment.start', body);
  expect(first).toEqual({
    status: 200,
    body: { success: true, results: { assessment_id: expect.any(String) } },
  });
  expect(await partner.call('POST', 'assessment.start', body)).toEqual(first);
  await app.drainQueue();
  const mails = (await app.readMails()).filter(({ to }) => to === body.candidate.email);
  expect(mails).toHaveLength(1);
});

test('a candidate who is being assessed already is 409, and any other reason is a message for the recruiter', async () => {
  const { job_id, email } = await createOrder(app, partner);
  const other = await partner.send({ name: 'another application', job_id, email });
  expect([other.status, other.body.errors]).toEqual([409, ['invitation_exists']]);
  await answerByLink(app, await readInvitationToken(app, email), 'decline');
  const again = await partner.send({ name: 'a third application', job_id, email });
  expect([again.status, again.body]).toEqual([
    422,
    { success: false, errors: ['candidate_declined'], message: expect.any(String) },
  ]);
});

test('refuses bad input, jobs of others, and strangers', async () => {
  const { id: job_id } = await createJob(app, partner.org.token);
  const bad = await partner.call('POST', 'assessment.start', build(job_id, 'nobody'));
  expect([bad.status, bad.body.errors, bad.body.message]).toEqual([
    422,
    ['field_invalid'],
    expect.stringContaining('/candidate/email'),
  ]);
  const { id: foreign } = await createJob(app, (await app.registerOrgAdmin()).token);
  for (const each of [foreign, unknownId]) {
    const { status, body } = await partner.call('POST', 'assessment.start', build(each));
    expect([status, body.errors]).toEqual([404, ['job_not_found']]);
  }
  const statuses = await listStrangerStatuses(app, partner, 'POST', 'assessment.start', build(job_id));
  expect(statuses).toEqual(strangerStatuses);
});
