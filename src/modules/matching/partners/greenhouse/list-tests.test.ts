import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createJob } from '#test/modules/jobs.ts';
import { connectGreenhouse, listStrangerStatuses, strangerStatuses } from '#test/modules/partners.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });

test('the tests are the active jobs of the organisation, by title', async () => {
  const [ours, theirs] = [await connectGreenhouse(app), await connectGreenhouse(app)];
  const { token } = ours.org;
  const second = await createJob(app, token, { title: 'Ward nurse' });
  const first = await createJob(app, token, { title: 'Archivist' });
  const closed = await createJob(app, token, { title: 'Baker' });
  await app.request('DELETE', `/orgs/me/jobs/${closed.id}`, { token });
  await createJob(app, theirs.org.token);
  const { status, body } = await ours.call('GET', 'list_tests');
  expect([status, body]).toEqual([
    200,
    [
      { partner_test_id: first.id, partner_test_name: 'Archivist' },
      { partner_test_id: second.id, partner_test_name: 'Ward nurse' },
    ],
  ]);
});

test('is for service keys with the permission alone', async () => {
  const partner = await connectGreenhouse(app);
  expect(await listStrangerStatuses(app, partner, 'GET', 'list_tests')).toEqual(strangerStatuses);
});
