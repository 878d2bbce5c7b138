import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createPlacement, day_ms, sendOutcome, type TestMatch } from '#test/modules/feedback.ts';
import { runTask } from '#test/modules/matching.ts';
import { createVouchedPlacement, listOffers, passDisputeTime, sendAnswer } from '#test/modules/offers.ts';
import { openOffers } from './open-offers.ts';

const app = await startApp();

const addDays = (days: number) => new Date(app.clock.now().getTime() + days * day_ms).toISOString();

/** Lets two weeks pass, and runs the hourly task. */
async function open({ member }: TestMatch): Promise<void> {
  await passDisputeTime(app, member.member_id);
  await runTask(app, openOffers, {});
  await app.drainQueue();
}

const correct = async ({ match_id, org }: TestMatch, days: number) => {
  // Offers of one moment have no order.
  app.clock.advance(1);
  const { status } = await app.request('POST', `/matches/${match_id}/outcome/correction`, {
    token: org.token,
    body: { placed_at: addDays(days), reason: 'It began at another time.' },
  });
  expect(status).toBe(201);
  await app.drainQueue();
};

const listStates = async ({ member }: TestMatch) =>
  (await listOffers(app, member.token)).map(({ status }) => status);

const listCredentials = async ({ member }: TestMatch) =>
  (await app.request('GET', '/credentials/', { token: member.token })).body.data.map(
    ({ status }: { status: string }) => status,
  );

describe('a recorded placement', () => {
  it('waits for two weeks, is then offered with the name and the domain of the organisation, and its member gets an email', async () => {
    const match = await createVouchedPlacement(app);
    const [waiting] = await listOffers(app, match.member.token);
    expect(waiting).toMatchObject({ status: 'waiting', opens_at: addDays(14) });
    expect((await sendAnswer(app, match, waiting.id)).body.detail).toBe('The offer is not open yet.');
    await runTask(app, openOffers, {});
    expect(await listStates(match)).toEqual(['waiting']);
    await open(match);
    const [offer] = await listOffers(app, match.member.token);
    expect(offer).toMatchObject({
      status: 'open',
      credential_type: 'placement_attestation',
      attestation_tier: 'org_validated',
      expiry_days: 3650,
      claims: { job_title: 'Night nurse', organisation_domain: match.domain, placed_on: '2026-03-02' },
    });
    const notice = await app.sql.one(sql<{ kind: string }>`
      select kind from member_notices where member_id = ${match.member.member_id} and kind = 'credential_offered'`);
    expect(notice.kind).toBe('credential_offered');
    const accepted = await sendAnswer(app, match, offer.id);
    const path = `/credentials/${accepted.body.credential_id}`;
    const { body } = await app.request('GET', path, { token: match.member.token });
    expect(body).toMatchObject({ attestation_tier: 'org_validated', claims: offer.claims });
  });

  it('that was disputed is not offered, until the organisation corrects it', async () => {
    const match = await createVouchedPlacement(app);
    const [{ id }] = await listOffers(app, match.member.token);
    await sendAnswer(app, match, id, { decision: 'dispute', reason: 'I began earlier.' });
    await open(match);
    expect(await listStates(match)).toEqual(['disputed']);
    await correct(match, -3);
    expect(await listStates(match)).toEqual(['waiting', 'disputed']);
    await open(match);
    expect(await listOffers(app, match.member.token)).toMatchObject([
      { status: 'open', claims: { placed_on: '2026-02-27' } },
      { status: 'disputed' },
    ]);
  });

  it('that is corrected waits again; a credential with the wrong day is revoked, and offered with the right one', async () => {
    const match = await createVouchedPlacement(app);
    await correct(match, -1);
    expect(await listStates(match)).toEqual(['waiting', 'withdrawn']);
    await open(match);
    const [first] = await listOffers(app, match.member.token);
    await sendAnswer(app, match, first.id);
    await correct(match, -2);
    expect(await listCredentials(match)).toEqual(['revoked']);
    const [second] = await listOffers(app, match.member.token);
    expect(second).toMatchObject({ status: 'open', claims: { placed_on: '2026-02-28' } });
    await sendAnswer(app, match, second.id);
    expect(await listCredentials(match)).toContain('active');
  });

  it('that ends gets an end date: in what waits, and in place of the credential', async () => {
    const [waiting, held] = [await createVouchedPlacement(app), await createVouchedPlacement(app)];
    await open(held);
    const [offer] = await listOffers(app, held.member.token);
    await sendAnswer(app, held, offer.id);
    const opens_at = addDays(14);
    app.clock.advance(1_000);
    for (const match of [waiting, held])
      await sendOutcome(app, match, { outcome: 'left', ended_at: addDays(0) });
    await app.drainQueue();
    expect(await listOffers(app, waiting.member.token)).toMatchObject([
      { status: 'waiting', opens_at, claims: { ended_on: '2026-03-02' } },
      { status: 'withdrawn' },
    ]);
    expect(await listOffers(app, held.member.token)).toMatchObject([
      { status: 'open', claims: { placed_on: '2026-03-02', ended_on: '2026-03-02' } },
      { status: 'revoked' },
    ]);
    expect(await listCredentials(held)).toEqual(['revoked']);
  });

  it('that is extended changes nothing', async () => {
    const match = await createVouchedPlacement(app);
    await sendOutcome(app, match, { outcome: 'extended', ended_at: addDays(100) });
    await app.drainQueue();
    expect(await listStates(match)).toEqual(['waiting']);
  });

  it('is not offered again to a member who has declined it or revoked the credential', async () => {
    const [declined, revoked] = [await createVouchedPlacement(app), await createVouchedPlacement(app)];
    await open(declined);
    await open(revoked);
    const [first] = await listOffers(app, declined.member.token);
    await sendAnswer(app, declined, first.id, { decision: 'decline' });
    const [second] = await listOffers(app, revoked.member.token);
    const { credential_id } = (await sendAnswer(app, revoked, second.id)).body;
    const { token } = revoked.member;
    await app.request('POST', `/credentials/${credential_id}/revoke`, { token, body: {} });
    for (const match of [declined, revoked]) await correct(match, -2);
    expect(await listStates(declined)).toEqual(['declined']);
    expect(await listStates(revoked)).toEqual(['accepted']);
  });

  it('of an organisation without a proven domain is withdrawn when it would open', async () => {
    const match = await createPlacement(app);
    await app.drainQueue();
    await open(match);
    expect(await listOffers(app, match.member.token)).toMatchObject([
      { status: 'withdrawn', reason: 'The organisation has proven no domain, or is suspended.' },
    ]);
  });
});
