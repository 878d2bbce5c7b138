import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { readInvitationToken } from '#test/modules/candidates.ts';
import {
  connectAshby,
  connectGreenhouse,
  createOrder,
  listStrangerStatuses,
  strangerStatuses,
} from '#test/modules/partners.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const partner = await connectAshby(app);

test('an invitation without an answer is cancelled, once', async () => {
  const { id, job_id, email } = await createOrder(app, partner);
  const token = await readInvitationToken(app, email);
  const reply = { status: 200, body: { success: true, results: { assessment_id: id } } };
  expect(await partner.cancel(id)).toEqual(reply);
  expect(await partner.cancel(id)).toEqual(reply);
  const path = `/orgs/me/jobs/${job_id}/invitations/${id}`;
  const { body } = await app.request('GET', path, { token: partner.org.token });
  expect([body.status, body.email]).toEqual(['cancelled', null]);
  const opened = await app.request('POST', '/invitations/open', { body: { token } });
  expect(opened.body.status).toBe('cancelled');
});

test('an assessment of another organisation or another system does not exist', async () => {
  const { id } = await createOrder(app, await connectAshby(app));
  const { id: ofGreenhouse } = await createOrder(app, await connectGreenhouse(app, partner.org));
  for (const each of [id, ofGreenhouse, unknownId]) {
    const { status, body } = await partner.cancel(each);
    expect([status, body.errors]).toEqual([404, ['partner_order_not_found']]);
  }
  expect((await partner.cancel('no-id')).body.errors).toEqual(['field_invalid']);
});

test('is for service keys with the permission alone', async () => {
  const body = { assessment_id: unknownId };
  const statuses = await listStrangerStatuses(app, partner, 'POST', 'assessment.cancel', body);
  expect(statuses).toEqual(strangerStatuses);
});
