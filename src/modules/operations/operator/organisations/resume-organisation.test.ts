import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { resumeDeliveries } from '#modules/operations/webhooks';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId, type TestApp } from '#test/harness.ts';
import {
  createJob,
  fillMeans,
  forceMatchStatus,
  listStoredMatches,
  runTask,
  tierMeans,
} from '#test/modules/matching.ts';
import { findLiveGrant } from '#test/modules/grants.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';
import { createPayment, findAliases, readBooks, registerReadable, sendRead } from '#test/modules/reads.ts';
import { createSubscription, emitProposal, listDeliveries } from '#test/modules/webhooks.ts';
import { password } from '#test/users.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const operator = await app.registerPlatformAdmin();

const change = async (org_id: string, act: 'suspend' | 'resume') => {
  const path = `/operator/organisations/${org_id}/${act}`;
  // The tests advance the clock, and the operator's changes need a recent login.
  const { status } = await app.request('POST', path, { token: await logInAgain(operator.email), body: {} });
  expect(status).toBe(200);
};
async function logInAgain(email: string): Promise<string> {
  return (await app.request('POST', '/auth/login', { body: { email, password } })).body.access_token;
}

describe('while an organisation is suspended', () => {
  let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
  let member: Awaited<ReturnType<TestApp['registerDeployedMember']>>;
  let job_id: string;
  beforeEach(async () => {
    org = await app.registerOrgAdmin();
    member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
    job_id = await createJob(app, org.token);
    await app.drainQueue();
  });

  const findMatch = async (member_id = member.member_id) =>
    (await listStoredMatches(app, job_id)).find((each) => each.member_id === member_id);
  const listOwn = async (query = '', { token, member_id } = member) => {
    const own = await app.request('GET', `/members/me/matches${query}`, { token });
    const page = await app.request('GET', `/matches/member/${member_id}`, { token });
    return [own.body.pagination.total_count, own.body.data.length, page.body.data.length];
  };

  it('its members no longer see its offers as open and cannot accept them, and afterwards they can', async () => {
    const { id } = (await findMatch())!;
    await forceMatchStatus(app, id, 'org_interested');
    const [before] = await listOwn();
    const respond = (decision: string) =>
      app.request('POST', `/matches/${id}/response`, { token: member.token, body: { decision } });
    const readOpen = async () =>
      (await app.request('GET', `/matches/${id}/job`, { token: member.token })).body.open;
    expect(await readOpen()).toBe(true);
    await change(org.org_id, 'suspend');
    expect(await listOwn()).toEqual([before - 1, before - 1, before - 1]);
    expect((await listOwn('?status=org_interested')).slice(0, 2)).toEqual([0, 0]);
    expect(await readOpen()).toBe(false);
    expect((await respond('accept')).body).toMatchObject({ status: 409, code: 'job_closed' });
    expect((await findMatch())!.match_status).toBe('org_interested');
    await change(org.org_id, 'resume');
    expect(await listOwn()).toEqual([before, before, before]);
    expect((await respond('accept')).status).toBe(200);
    // What both have agreed on stays in sight.
    await change(org.org_id, 'suspend');
    expect((await listOwn('?status=member_accepted'))[0]).toBe(1);
    const contact = await app.request('GET', `/matches/${id}/contact`, { token: member.token });
    expect([contact.status, contact.body.organisation.contact_email]).toEqual([200, null]);
  });

  it('a member may still decline', async () => {
    const { id } = (await findMatch())!;
    await forceMatchStatus(app, id, 'org_interested');
    await change(org.org_id, 'suspend');
    const path = `/matches/${id}/response`;
    const { status } = await app.request('POST', path, {
      token: member.token,
      body: { decision: 'decline' },
    });
    expect([status, (await findMatch())!.match_status]).toEqual([200, 'member_declined']);
  });

  it('its jobs find no matches, neither by member nor by job, and find them afterwards', async () => {
    await change(org.org_id, 'suspend');
    const late = await app.registerDeployedMember({ mean: fillMeans(tierMeans.exceptional) });
    await app.drainQueue();
    const started = await app.request('POST', '/matches/recompute', {
      token: operator.token,
      body: { job_id },
    });
    await app.drainQueue();
    expect([started.status < 500, await findMatch(late.member_id)]).toEqual([true, undefined]);
    const kept = await findMatch();
    await change(org.org_id, 'resume');
    await app.drainQueue();
    expect(await findMatch(late.member_id)).toMatchObject({ match_status: 'pending_review' });
    expect((await findMatch())?.id).toBe(kept!.id);
  });
});

it('webhooks wait during a suspension without using up an attempt, and are delivered afterwards', async () => {
  const { org_id, token, email } = await app.registerOrgAdmin();
  const receiver = await startWebhookReceiver();
  const { id } = await createSubscription(app, token, { url: receiver.url });
  await change(org_id, 'suspend');
  await emitProposal(app, org_id);
  await app.drainQueue();
  app.clock.advance(3_600_000);
  await runTask(app, resumeDeliveries, {});
  await app.drainQueue();
  expect(receiver.received).toEqual([]);
  const waiting = await app.sql.list(
    sql`select status, attempt from webhook_deliveries where org_id = ${org_id}`,
  );
  expect(waiting).toEqual([{ status: 'pending', attempt: 0 }]);
  await change(org_id, 'resume');
  await runTask(app, resumeDeliveries, {});
  await app.drainQueue();
  expect(receiver.received).toHaveLength(1);
  const again = await logInAgain(email);
  expect(await listDeliveries(app, again, id)).toMatchObject([{ status: 'delivered' }]);
});

it('a read that is paid for while its organisation is being suspended gives nothing, and its payment is owed back', async () => {
  await app.sql.run(sql`update members set matching_consented = false`);
  const member = await registerReadable(app);
  const org = await app.registerOrgAdmin();
  const [alias] = (await findAliases(app, org, [member])) as [string];
  const before = await readBooks(app);
  // Another node has suspended it, and this one has not read that yet.
  await app.sql.run(sql`update organisations set suspended_at = ${app.clock.now()} where id = ${org.org_id}`);
  for (const options of [{}, { payment: createPayment() }]) {
    const { status, body } = await sendRead(app, org, alias, options);
    expect([status, body.code]).toEqual([403, 'organisation_suspended']);
  }
  expect(await readBooks(app)).toEqual(before);
  // This process may have read the suspension in the meantime, and forgets it at once only if it ends the suspension itself.
  await change(org.org_id, 'resume');
  expect((await sendRead(app, org, alias)).status).toBe(200);
});

it('agents of its users may do nothing during a suspension, and what was allowed before afterwards', async () => {
  const { org_id, user_id } = await app.registerOrgAdmin();
  const id = randomUUID();
  const now = app.clock.now();
  const expires_at = new Date(now.getTime() + 86_400_000);
  await app.sql.run(sql`
    insert into agent_grants (id, user_id, client_id, client_name, redirect_host, tools, refused_tools, created_at, consented_at, expires_at)
    values (${id}, ${user_id}, 'https://agent.example/client', 'Agent', 'agent.example', '{list_jobs}', '{}', ${now}, ${now}, ${expires_at})`);
  const isLive = async () => (await findLiveGrant(app.platform, app.sql, id)) !== undefined;
  expect(await isLive()).toBe(true);
  await change(org_id, 'suspend');
  expect(await isLive()).toBe(false);
  await change(org_id, 'resume');
  expect(await isLive()).toBe(true);
});

it('is refused for an unknown organisation, a text that is no id, and everybody but a platform administrator', async () => {
  const token = await logInAgain(operator.email);
  const send = (org_id: string) =>
    app.request('POST', `/operator/organisations/${org_id}/resume`, { token, body: {} });
  expect((await send(unknownId)).body.code).toBe('organisation_not_found');
  expect((await send('7')).body.errors[0].pointer).toBe('/org_id');
  await expectOperatorOnly(app, 'POST', `/operator/organisations/${unknownId}/resume`, {});
});
