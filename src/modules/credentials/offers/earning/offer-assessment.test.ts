import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import {
  answerAllItems,
  answerFirstStage,
  endCoolingOff,
  registerMeasurableMember,
} from '#test/assessment.ts';
import { makeArchetypeCertain, setConsent, verifyEmail } from '#test/modules/credentials.ts';
import { runTask } from '#test/modules/matching.ts';
import { listOffers } from '#test/modules/offers.ts';
import { offerAssessment } from './offer-assessment.ts';

const app = await startApp();

const complete = async () => {
  const member = await registerMeasurableMember(app);
  await verifyEmail(app, member.member_id);
  await answerAllItems(app, member.token);
  await app.drainQueue();
  return member;
};

const offerAgain = async (member_id: string) => {
  await runTask(app, offerAssessment, { member_id, at: app.clock.now().toISOString() });
  await app.drainQueue();
};

const answer = (token: string, id: string, decision: string) =>
  app.request('POST', `/members/me/credential-offers/${id}`, { token, body: { decision } });

const listTypes = async (token: string, query = '?status=open') =>
  (await listOffers(app, token, query))
    .map(({ credential_type }): string => credential_type)
    .toSorted((one, other) => one.localeCompare(other));

describe('a finished assessment', () => {
  it('is offered, and is a credential of the service once the member accepts', async () => {
    const { token } = await complete();
    const offer = (await listOffers(app, token)).find(
      ({ credential_type }) => credential_type === 'assessment_completion',
    );
    expect(offer).toMatchObject({
      status: 'open',
      attestation_tier: 'platform_verified',
      claims: { assessment_completed_on: '2026-03-02', trait_coverage: expect.any(Number) },
    });
    expect((await app.request('GET', '/credentials/', { token })).body.data).toEqual([]);
    const { body } = await answer(token, offer.id, 'accept');
    const credential = await app.request('GET', `/credentials/${body.credential_id}`, { token });
    expect(credential.body).toMatchObject({ attestation_tier: 'platform_verified', claims: offer.claims });
    expect((await answer(token, offer.id, 'dispute')).body.code).toBe('credential_offer_closed');
  });

  it('offers an archetype only if it is certain enough, and says how certain', async () => {
    const { token, member_id } = await complete();
    await app.sql.run(sql`
      update trait_vectors set latent_mean = array_fill(0::real, array[20]), latent_variance = array_fill(0.9::real, array[20])
      where member_id = ${member_id}`);
    await offerAgain(member_id);
    expect(await listTypes(token)).toEqual(['assessment_completion']);
    await makeArchetypeCertain(app, member_id);
    await app.sql.run(sql`update trait_vectors set provisional = false where member_id = ${member_id}`);
    await offerAgain(member_id);
    const archetype = (await listOffers(app, token, '?status=open')).find(
      ({ credential_type }) => credential_type === 'archetype_attestation',
    );
    expect(archetype.claims).toMatchObject({ archetype_family: 'craft', archetype_certainty: 'high' });
    expect((await answer(token, archetype.id, 'accept')).body.status).toBe('accepted');
  });

  it('that looks careless, or is not complete, offers nothing', async () => {
    const flagged = await registerMeasurableMember(app);
    await answerAllItems(app, flagged.token, () => 0);
    const unfinished = await registerMeasurableMember(app);
    await answerFirstStage(app, unfinished.token);
    await app.drainQueue();
    expect(await listOffers(app, flagged.token)).toEqual([]);
    expect(await listOffers(app, unfinished.token)).toEqual([]);
  });

  it('is offered once: an answer stays, and a later result replaces an open offer', async () => {
    const { token, member_id } = await complete();
    const [offer] = await listOffers(app, token, '?status=open');
    await offerAgain(member_id);
    expect((await listOffers(app, token)).filter(({ id }) => id === offer.id)).toHaveLength(1);
    await endCoolingOff(app, member_id, 31);
    await offerAgain(member_id);
    const dates = (await listOffers(app, token)).map(({ status, claims }) => [
      status,
      claims.assessment_completed_on,
    ]);
    expect(dates).toContainEqual(['withdrawn', '2026-03-02']);
    expect(dates).toContainEqual(['open', '2026-01-30']);
    const latest = (await listOffers(app, token, '?status=open')).find(
      ({ claims }) => claims.assessment_completed_on,
    );
    await answer(token, latest.id, 'decline');
    await offerAgain(member_id);
    expect(await listTypes(token)).not.toContain('assessment_completion');
  });

  it('is withdrawn with the consent to it', async () => {
    const { token } = await complete();
    await setConsent(app, token, 'assessment_data', false);
    await app.drainQueue();
    expect(await listTypes(token)).toEqual([]);
    const [offer] = await listOffers(app, token);
    expect(offer).toMatchObject({ status: 'withdrawn', reason: 'You have withdrawn your consent.' });
  });

  it('cannot be accepted when it is no longer true', async () => {
    const { token, member_id } = await complete();
    const [offer] = await listOffers(app, token, '?status=open');
    await endCoolingOff(app, member_id, 31);
    await app.sql.run(
      sql`update trait_vectors set latent_variance = array_fill(0.9::real, array[20]) where member_id = ${member_id}`,
    );
    const { status, body } = await answer(token, offer.id, 'accept');
    expect([status, body.code]).toEqual([422, 'claim_not_verified']);
  });
});
