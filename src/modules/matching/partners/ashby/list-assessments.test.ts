import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createJob } from '#test/modules/jobs.ts';
import { connectAshby, listStrangerStatuses, strangerStatuses } from '#test/modules/partners.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const partner = await connectAshby(app);

test('the assessments are the active jobs of the organisation', async () => {
  const { id, title, outcome_description } = await createJob(app, partner.org.token);
  await createJob(app, (await app.registerOrgAdmin()).token);
  const { status, body } = await partner.call('POST', 'assessment.list', {});
  const results = [{ assessment_type_id: id, name: title, description: outcome_description }];
  expect([status, body]).toEqual([200, { success: true, results }]);
  expect((await partner.call('POST', 'assessment.list')).body).toEqual(body);
});

test('is for service keys with the permission alone, and refuses as Ashby does', async () => {
  const statuses = await listStrangerStatuses(app, partner, 'POST', 'assessment.list', {});
  expect(statuses).toEqual(strangerStatuses);
  const { body } = await partner.call('POST', 'assessment.list', {}, 'Bearer tsk_wrong');
  expect(body).toEqual({ success: false, errors: ['token_invalid'], message: expect.any(String) });
});
