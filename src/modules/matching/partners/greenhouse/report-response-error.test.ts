import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { connectGreenhouse, listStrangerStatuses, strangerStatuses } from '#test/modules/partners.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const partner = await connectGreenhouse(app);

const report = {
  api_call: 'test_status',
  errors: ['partner_status is missing'],
  partner_test_id: '12345',
  candidate_email: 'hpotter@hogwarts.example',
};

test('takes notice as the contract says', async () => {
  const { status, body } = await partner.call('POST', 'response_error', report);
  expect([status, body]).toEqual([200, { status: 200 }]);
});

test('refuses bad input, and strangers', async () => {
  const bad = await partner.call('POST', 'response_error', { ...report, errors: 'none' });
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/errors']);
  const statuses = await listStrangerStatuses(app, partner, 'POST', 'response_error', report);
  expect(statuses).toEqual(strangerStatuses);
});
