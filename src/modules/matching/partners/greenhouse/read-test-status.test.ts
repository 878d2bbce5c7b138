import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { answerByLink, readInvitationToken } from '#test/modules/candidates.ts';
import { createJob, fillMeans, runTask, tierMeans } from '#test/modules/matching.ts';
import {
  connectAshby,
  connectGreenhouse,
  createOrder,
  listStrangerStatuses,
  strangerStatuses,
} from '#test/modules/partners.ts';
import { followOrders } from '../orders/follow-orders.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const partner = await connectGreenhouse(app);

test('an invitation that waits has a status, and no result', async () => {
  const { id } = await createOrder(app, partner);
  const { status, body } = await partner.call('GET', `test_status?partner_interview_id=${id}`);
  expect([status, body]).toEqual([
    200,
    {
      partner_status: 'sent',
      partner_profile_url: null,
      metadata: { Status: 'The invitation was sent.' },
    },
  ]);
});

test('a result is a tier in words and a link, without a number and without the id of the member', async () => {
  const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
  const job_id = await createJob(app, partner.org.token);
  const { email } = member;
  const { body: sent } = await partner.send({ name: 'result', job_id, email });
  const id = sent.partner_interview_id;
  await answerByLink(app, await readInvitationToken(app, email), 'accept', member.token);
  await app.drainQueue();
  app.clock.advance(60_000);
  await runTask(app, followOrders, {});
  const { body } = await partner.call('GET', `test_status?partner_interview_id=${id}`);
  expect(body).toEqual({
    partner_status: 'complete',
    partner_profile_url: expect.stringContaining(`/app/jobs/${job_id}?match=`),
    metadata: { Tier: 'Strong match' },
  });
  await app.drainQueue();
  expect(partner.readView(id).tier).toBe('Strong match');
  expect(partner.received.join('\n')).not.toContain(member.member_id);
  expect(partner.faults).toEqual([]);
});

test('an order of another organisation or another system does not exist', async () => {
  const [theirs, ashby] = [await connectGreenhouse(app), await connectAshby(app, partner.org)];
  const { id } = await createOrder(app, theirs);
  const { id: ofAshby } = await createOrder(app, ashby);
  for (const each of [id, ofAshby, unknownId]) {
    const { status, body } = await partner.call('GET', `test_status?partner_interview_id=${each}`);
    expect([status, body.code]).toEqual([404, 'partner_order_not_found']);
  }
  const bad = await partner.call('GET', 'test_status?partner_interview_id=no-id');
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/partner_interview_id']);
});

test('is for service keys with the permission alone', async () => {
  const path = `test_status?partner_interview_id=${unknownId}`;
  expect(await listStrangerStatuses(app, partner, 'GET', path)).toEqual(strangerStatuses);
});
