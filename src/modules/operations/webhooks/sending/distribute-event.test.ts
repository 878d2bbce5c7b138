import { describe, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createCast } from '#test/cast.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createCredential } from '#test/modules/credentials.ts';
import { runTask } from '#test/modules/matching.ts';
import { createSubscription, emitAttestation, emitProposal, listDeliveries } from '#test/modules/webhooks.ts';
import { proves } from '#test/requirements.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';
import { distributeToOrganisation } from './distribute-event.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const cast = await createCast(app);
const receiver = await startWebhookReceiver();
for (const [name, { admin }] of Object.entries({ ours: cast.ours, theirs: cast.theirs }))
  await createSubscription(app, admin.token, { url: `${receiver.url}/${name}` });

/** Runs all tasks. @returns the events that an organisation received meanwhile. */
async function receiveEvents(path: '/ours' | '/theirs') {
  await app.drainQueue();
  const events = receiver.received.filter((each) => each.path === path).map(({ text }) => JSON.parse(text));
  receiver.received.length = 0;
  return events;
}

const share = (granted: boolean, token = cast.deployed.token) =>
  app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type: 'credential_sharing', granted, version: '1.0' },
  });

describe('the events of a match', () => {
  test('name the member by the alias until the member accepts, and then by the id', async () => {
    proves('webhook-delivers-credential-and-match-events', 'webhook-planned-events-emitted-when-shipped');
    const { ours, deployed } = cast;
    const match_id = await cast.readMatchId(deployed, ours);
    const { body: seen } = await app.request('GET', `/matches/${match_id}`, { token: ours.admin.token });
    await app.request('PUT', `/matches/${match_id}/status`, {
      token: ours.admin.token,
      body: { status: 'org_interested' },
    });
    const common = { match_id, job_id: ours.job_id, org_id: ours.org_id };
    expect(await receiveEvents('/ours')).toEqual([
      {
        id: expect.any(String),
        type: 'match.proposed',
        created_at: app.clock.now().toISOString(),
        api_version: 'v1',
        data: { ...common, member_id: seen.member_id, match_status: 'org_interested' },
      },
    ]);
    expect(seen.member_id).not.toBe(deployed.member_id);
    await app.request('POST', `/matches/${match_id}/response`, {
      token: deployed.token,
      body: { decision: 'accept' },
    });
    expect(await receiveEvents('/ours')).toMatchObject([
      {
        type: 'match.accepted',
        data: { ...common, member_id: deployed.member_id, match_status: 'member_accepted' },
      },
    ]);
  });

  test('never contain the id of a member who declines, and reach no other organisation', async () => {
    const { theirs, neighbour } = cast;
    const match_id = await cast.readMatchId(neighbour, theirs);
    await app.request('PUT', `/matches/${match_id}/status`, {
      token: theirs.admin.token,
      body: { status: 'org_interested' },
    });
    await app.request('POST', `/matches/${match_id}/response`, {
      token: neighbour.token,
      body: { decision: 'decline' },
    });
    await app.drainQueue();
    expect(
      receiver.received
        .map(({ path, headers }) => `${path} ${String(headers['x-service-event'])}`)
        .toSorted(),
    ).toEqual(['/theirs match.declined', '/theirs match.proposed']);
    expect(receiver.received.map(({ text }) => text).join('')).not.toContain(neighbour.member_id);
    receiver.received.length = 0;
  });

  test('reach only subscriptions to them', async () => {
    const { token, org_id } = await app.registerOrgAdmin();
    const { id } = await createSubscription(app, token, {
      url: `${receiver.url}/other`,
      events: ['match.accepted'],
    });
    await emitProposal(app, org_id);
    await app.drainQueue();
    expect(await listDeliveries(app, token, id)).toEqual([]);
    receiver.received.length = 0;
  });

  test('are written once, even if the task runs again', async () => {
    const { token, org_id } = await app.registerOrgAdmin();
    const { id } = await createSubscription(app, token, { url: `${receiver.url}/other` });
    await emitProposal(app, org_id, { count: 3 });
    await app.drainQueue();
    expect(await listDeliveries(app, token, id)).toHaveLength(3);
    const event = await app.sql.one(sql<{ id: string; data: never }>`
      select id, data from events where data->>'org_id' = ${org_id} limit 1`);
    for (let repetition = 0; repetition < 2; repetition++)
      await runTask(app, distributeToOrganisation, event.data, { event_ids: [event.id] });
    expect(await listDeliveries(app, token, id)).toHaveLength(3);
    receiver.received.length = 0;
  });
});

describe('the events of a credential', () => {
  test('reach the organisations with an accepted match while the member shares credentials, without claims and member id', async () => {
    const { ours, deployed } = cast;
    await createCredential(app, deployed.token);
    expect(await receiveEvents('/ours')).toEqual([]);
    await share(true);
    const credential = await createCredential(app, deployed.token);
    await app.drainQueue();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/ours']);
    const [event] = await receiveEvents('/ours');
    expect(event).toMatchObject({ type: 'attestation.issued', api_version: 'v1' });
    expect(event.data).toEqual({
      credential_id: credential.id,
      credential_type: credential.credential_type,
      attestation_tier: credential.attestation_tier,
      match_ids: [await cast.readMatchId(deployed, ours)],
      status: 'active',
      issued_at: credential.issued_at,
      expires_at: credential.expires_at,
      revoked_at: null,
    });
    const token = deployed.token;
    await app.request('POST', `/credentials/${credential.id}/revoke`, { token, body: {} });
    expect(await receiveEvents('/ours')).toMatchObject([
      { type: 'attestation.revoked', data: { credential_id: credential.id, status: 'revoked' } },
    ]);
    await share(false);
    await createCredential(app, token);
    expect(await receiveEvents('/ours')).toEqual([]);
  });

  test('are not sent any more if the member withdraws the consent between two attempts', async () => {
    const { ours, deployed } = cast;
    await share(true);
    let attempts = 0;
    receiver.reply = (response) => {
      attempts++;
      void share(false).then(() => response.writeHead(503).end());
    };
    await emitAttestation(app, deployed.member_id);
    await app.drainQueue();
    receiver.reply = (response) => response.end('ok');
    expect(attempts).toBe(1);
    const { id } = (await app.request('GET', '/webhooks/', { token: ours.admin.token })).body.data[0];
    const withdrawn = { status: 'failed', attempt: 1, error: 'consent_withdrawn' };
    expect(await listDeliveries(app, ours.admin.token, id)).toContainEqual(
      expect.objectContaining(withdrawn),
    );
    receiver.received.length = 0;
  });
});

test('an event that was deleted with its member is not distributed', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id } = await createSubscription(app, token, { url: `${receiver.url}/other` });
  await emitProposal(app, org_id);
  await app.sql.run(sql`delete from events where data->>'org_id' = ${org_id}`);
  await app.drainQueue();
  await runTask(
    app,
    distributeToOrganisation,
    { match_id: unknownId, job_id: unknownId, org_id, member_id: unknownId, shown_member_id: unknownId },
    { event_ids: [unknownId] },
  );
  expect(await listDeliveries(app, token, id)).toEqual([]);
});
