import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { readPayload, requestVerification, setConsent } from '#test/modules/credentials.ts';
import { sendOutcome, type TestMatch } from '#test/modules/feedback.ts';
import {
  achievementDraft,
  alignmentClaim,
  alignmentDrafts,
  createAchievementCredential,
  createPng,
  createStrangeMatch,
  createVouchedMatch,
  createVouchedPlacement,
  listOffers,
  proveDomain,
  sendAnswer,
  sendAttestation,
  statement,
} from '#test/modules/offers.ts';

const app = await startApp();

const countOffers = async (member_id: string) =>
  (await app.sql.list(sql`select id from credential_offers where member_id = ${member_id}`)).length;

describe('what an organisation attests', () => {
  it('is offered to the member, and is a credential with the name and the domain of the organisation once the member accepts', async () => {
    const match = await createVouchedMatch(app);
    const { status, body, headers } = await sendAttestation(app, match);
    expect([status, headers['location']]).toEqual([201, 'http://localhost:8420/api/v1/orgs/me/credentials']);
    expect(body).toMatchObject({
      status: 'open',
      attestation_tier: 'org_validated',
      member_id: match.member.member_id,
      match_id: match.match_id,
      credential_id: null,
      expiry_days: 365,
    });
    expect(body.claims).toEqual({
      organisation_name: expect.stringContaining('Harbour Health'),
      organisation_domain: match.domain,
      statement: 'Led the sampling of 40 sites.',
    });
    const { token } = match.member;
    expect((await app.request('GET', '/credentials/', { token })).body.data).toEqual([]);
    const [offer] = await listOffers(app, token, '?status=open');
    expect(offer).toMatchObject({ id: body.id, claims: body.claims });
    const accepted = await sendAnswer(app, match, body.id);
    expect([accepted.status, accepted.body.status]).toEqual([200, 'accepted']);
    const { credential_id } = accepted.body;
    const credential = (await app.request('GET', `/credentials/${credential_id}`, { token })).body;
    expect(credential).toMatchObject({
      status: 'active',
      attestation_tier: 'org_validated',
      claims: body.claims,
    });
    const verified = await requestVerification(app, credential.formats.vc_jwt);
    expect(verified.body).toMatchObject({ valid: true, credential: { claims: body.claims } });
    const sdJwt = readPayload(credential.formats.sd_jwt_vc);
    expect(sdJwt).toMatchObject({ organisation_domain: match.domain });
    expect(readPayload(credential.formats.vc_jwt)['@context'].at(-1)).toBe(
      'http://localhost:8420/contexts/credentials/v2',
    );
    const acts = await app.sql.list(sql<{ action: string; org_id: string }>`
      select action, org_id from audit_log where detail->>'offer_id' = ${body.id} order by sequence`);
    const { org_id } = match.org;
    expect(acts).toEqual([
      { action: 'offers.offered', org_id },
      { action: 'offers.accepted', org_id },
    ]);
  });

  it('can be an achievement, whose words and picture are in the credential', async () => {
    const match = await createVouchedMatch(app);
    const { token } = match.org;
    const image = createPng().toString('base64');
    const achievement = await app.request('POST', '/orgs/me/achievements', {
      token,
      body: { ...achievementDraft, image },
    });
    const { id, image_url } = achievement.body;
    const { status, body } = await sendAttestation(app, match, { achievement_id: id });
    expect(status).toBe(201);
    expect(body.claims).toMatchObject({
      achievement_id: id,
      achievement_name: achievementDraft.name,
      achievement_criteria: achievementDraft.criteria,
      achievement_image: image_url,
    });
    const { credential_id } = (await sendAnswer(app, match, body.id)).body;
    const credential = await app.request('GET', `/credentials/${credential_id}`, {
      token: match.member.token,
    });
    expect((await requestVerification(app, credential.body.formats.attestation_token)).body.valid).toBe(true);
    const integrity = await app.request('GET', `/credentials/${credential_id}/data-integrity`, {
      token: match.member.token,
    });
    expect(integrity.body.proof.cryptosuite).toBe('ecdsa-rdfc-2019');
  });

  it('can be a recorded placement, which is then offered at once', async () => {
    const match = await createVouchedPlacement(app);
    expect(await listOffers(app, match.member.token)).toMatchObject([{ status: 'waiting' }]);
    app.clock.advance(1);
    const body = { credential_type: 'placement_attestation' };
    const offered = await sendAttestation(app, match, body);
    expect([offered.status, offered.body.claims]).toMatchObject([
      201,
      { job_title: 'Night nurse', placed_on: '2026-03-02', organisation_domain: match.domain },
    ]);
    expect(await listOffers(app, match.member.token)).toMatchObject([
      { status: 'open' },
      { status: 'withdrawn' },
    ]);
  });

  it('may name the member whom both know since they agreed', async () => {
    const match = await createVouchedMatch(app);
    const { member_id } = match.member;
    const { status, body } = await sendAttestation(app, match, { ...statement, member_id });
    expect([status, body.match_id]).toEqual([201, match.match_id]);
  });
});

describe('what an achievement corresponds to', () => {
  it('is in every form of the credential, and all of them verify', async () => {
    const { credential } = await createAchievementCredential(app);
    const { vc_jwt, sd_jwt_vc, attestation_token, open_badge } = credential.formats;
    expect(credential.claims.achievement_alignment).toEqual(alignmentClaim);
    const badge = readPayload(open_badge!).credentialSubject;
    for (const claims of [
      readPayload(vc_jwt).credentialSubject,
      readPayload(attestation_token).claims,
      badge,
    ])
      expect(claims.achievement_alignment).toEqual(alignmentClaim);
    expect(badge.achievement.alignment).toEqual(
      alignmentClaim.map((each) => ({ type: ['Alignment'], ...each })),
    );
    for (const form of [vc_jwt, sd_jwt_vc, attestation_token, open_badge!])
      expect((await requestVerification(app, form)).body).toMatchObject({
        valid: true,
        credential: { claims: { achievement_alignment: alignmentClaim } },
      });
  });

  it('is disclosed in an SD-JWT VC by choice', async () => {
    const { credential } = await createAchievementCredential(app);
    const [jws, ...disclosures] = credential.formats.sd_jwt_vc.split('~');
    expect(readPayload(jws!)).not.toHaveProperty('achievement_alignment');
    const { body } = await requestVerification(app, `${jws}~`);
    expect([body.valid, body.credential.claims.achievement_alignment]).toEqual([true, undefined]);
    const chosen = disclosures.find((each) =>
      Buffer.from(each, 'base64url').toString().includes('achievement_alignment'),
    );
    const shown = (await requestVerification(app, `${jws}~${chosen}~`)).body;
    expect([shown.valid, shown.credential.claims.achievement_alignment]).toEqual([true, alignmentClaim]);
  });

  it('is no claim of an achievement without codes', async () => {
    const { credential } = await createAchievementCredential(app, { alignments: [] });
    expect(credential.claims).not.toHaveProperty('achievement_alignment');
    const { credentialSubject } = readPayload(credential.formats.open_badge!);
    expect(credentialSubject.achievement).not.toHaveProperty('alignment');
    expect((await requestVerification(app, credential.formats.vc_jwt)).body.valid).toBe(true);
  });

  it('is verified in every form where every field is as long as it can be, and all codes are the same', async () => {
    const [, code] = alignmentDrafts;
    const draft = {
      name: '💼'.repeat(100),
      criteria: '💼'.repeat(1000),
      alignments: Array.from({ length: 10 }, () => ({ ...code, name: '💼'.repeat(200) })),
    };
    const claims = { statement: '💼'.repeat(500), job_title: '💼'.repeat(200) };
    const { credential, token } = await createAchievementCredential(app, draft, claims);
    const { id, formats } = credential;
    for (const form of Object.values(formats)) {
      const { body } = await app.request('POST', '/credentials/verify', { body: { credential: form } });
      expect(body.verdict).toBe('genuine');
    }
    expect((await app.request('GET', `/credentials/${id}/verify`)).body.valid).toBe(true);
    expect((await app.request('GET', `/credentials/${id}/open-badge`, { token })).status).toBe(200);
  });

  it('cannot be stated in a request', async () => {
    const match = await createVouchedMatch(app);
    const claims = { ...statement.claims, achievement_alignment: alignmentClaim };
    const offered = await sendAttestation(app, match, { claims });
    const { token } = await app.registerPlatformAdmin();
    const issued = await app.request('POST', '/credentials/issue', {
      token,
      body: {
        member_id: match.member.member_id,
        credential_type: 'org_validation',
        attestation_tier: 'org_validated',
        claims: { organisation_name: 'Harbour Health', ...claims },
      },
    });
    for (const { status, body } of [offered, issued])
      expect([status, body.errors]).toMatchObject([422, [{ pointer: '/claims/achievement_alignment' }]]);
    expect(await countOffers(match.member.member_id)).toBe(0);
  });
});

describe('an organisation cannot attest', () => {
  let match: Awaited<ReturnType<typeof createVouchedMatch>>;
  beforeAll(async () => {
    match = await createVouchedMatch(app);
  });

  it('a stranger, itself, its own administrator or somebody who does not exist', async () => {
    const { member: stranger } = await createVouchedMatch(app);
    const { member: candidate } = await createStrangeMatch(app);
    const ids = [stranger.member_id, candidate.member_id, match.org.org_id, match.org.user_id, unknownId];
    for (const member_id of ids) {
      const { status, body } = await sendAttestation(app, match, { ...statement, member_id });
      expect([status, body.code]).toEqual([404, 'member_not_found']);
    }
    const other = await createVouchedMatch(app);
    const foreign = await sendAttestation(app, { ...match, match_id: other.match_id });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'match_not_found']);
  });

  it('somebody who has not agreed, or who has withdrawn', async () => {
    const proposed = await createStrangeMatch(app);
    await proveDomain(app, proposed.org.org_id);
    const claimed = await createVouchedMatch(app);
    const early = await sendAttestation(app, proposed);
    expect(early.body.code).toBe('contact_not_shared');
    await setConsent(app, claimed.member.token, 'matching', false);
    const late = await sendAttestation(app, claimed);
    expect([late.status, late.body.code]).toEqual([409, 'contact_not_shared']);
    const { member_id } = claimed.member;
    expect((await sendAttestation(app, claimed, { ...statement, member_id })).body.code).toBe(
      'member_not_found',
    );
    expect(await countOffers(member_id)).toBe(0);
  });

  it('the same twice, nor what the member has declined', async () => {
    const own = await createVouchedMatch(app);
    const { body: offer } = await sendAttestation(app, own);
    expect((await sendAttestation(app, own)).body.code).toBe('credential_offer_exists');
    await sendAnswer(app, own, offer.id, { decision: 'decline' });
    const again = await sendAttestation(app, own);
    expect([again.status, again.body.code]).toEqual([409, 'credential_offer_exists']);
    const other = await sendAttestation(app, own, { claims: { statement: 'Never missed a day.' } });
    await sendAnswer(app, own, other.body.id);
    const held = await sendAttestation(app, own, { claims: { statement: 'Never missed a day.' } });
    expect(held.body.detail).toContain('holds');
    expect(await countOffers(own.member.member_id)).toBe(2);
  });

  it('a placement that is not recorded', async () => {
    const { status, body } = await sendAttestation(app, match, { credential_type: 'placement_attestation' });
    expect([status, body.code]).toEqual([409, 'outcome_conflict']);
    await sendOutcome(app, match, { outcome: 'placed' });
    await app.drainQueue();
    const named = await sendAttestation(app, match, {
      credential_type: 'placement_attestation',
      member_id: match.member.member_id,
    });
    expect(named.status).toBe(201);
  });

  it('without a proven domain', async () => {
    const unproven = await createStrangeMatch(app);
    const { status, body } = await sendAttestation(app, unproven);
    expect([status, body.code]).toEqual([403, 'proven_domain_required']);
  });

  it('with claims that are not its own to make, or without any', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ claims: {} }, '/claims/statement'],
      [{ claims: { statement: ' ' } }, '/claims/statement'],
      [{ claims: { statement: 'x', organisation_name: 'Other' } }, '/claims/organisation_name'],
      [{ credential_type: 'placement_attestation', claims: { job_title: 'Director' } }, '/claims'],
      [{ credential_type: 'placement_attestation', achievement_id: unknownId }, '/achievement_id'],
      [{ ...statement, expiry_days: 0 }, '/expiry_days'],
      [{ credential_type: 'trait_attestation' }, '/credential_type'],
    ];
    for (const [body, pointer] of cases) {
      const reply = await sendAttestation(app, match, body);
      expect([reply.status, reply.body.errors?.[0].pointer]).toEqual([422, pointer]);
    }
  });

  it('nobody, or a person who is not in the match', async () => {
    const body = { credential_type: 'org_validation', ...statement };
    const { token } = match.org;
    const nobody = await app.request('POST', '/orgs/me/credentials', { token, body });
    expect([nobody.status, nobody.body.errors[0].reason]).toEqual([422, 'needs match_id or member_id']);
    const { match_id } = match;
    const both = { ...body, match_id, member_id: unknownId };
    const other = await app.request('POST', '/orgs/me/credentials', { token, body: both });
    expect(other.body.code).toBe('match_not_found');
  });

  it('with an achievement of another organisation, or one that is archived', async () => {
    const { token } = (await createVouchedMatch(app)).org;
    const theirs = await app.request('POST', '/orgs/me/achievements', { token, body: achievementDraft });
    const foreign = await sendAttestation(app, match, { achievement_id: theirs.body.id });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'achievement_not_found']);
  });
});

it('callers who are not logged in, members, viewers and auditors attest nobody', async () => {
  const match = await createVouchedMatch(app);
  expect((await sendAttestation(app, match, statement, '')).status).toBe(401);
  const asMember = await sendAttestation(app, match, statement, match.member.token);
  expect([asMember.status, asMember.body.code]).toEqual([403, 'role_not_allowed']);
});

it('each of a hundred attestations at the same time is offered once or refused, and of a hundred of the same one is offered', async () => {
  const match = await createVouchedMatch(app);
  const countStatuses = async (name: (index: number) => string) => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        sendAttestation(app, match, { claims: { statement: name(index) } }),
      ),
    );
    return new Map(
      [...Map.groupBy(replies, ({ status }) => status)].map(([each, all]) => [each, all.length]),
    );
  };
  const countOffered = async () => {
    const { body } = await app.request('GET', '/orgs/me/credentials?limit=1', { token: match.org.token });
    return body.pagination.total_count as number;
  };
  const different = await countStatuses((index) => `Led the sampling of ${index + 1} sites.`);
  // A machine that is busy with other work refuses what would wait too long.
  expect([...different.keys()].filter((status) => status !== 201 && status !== 503)).toEqual([]);
  const offered = await countOffered();
  expect([different.get(201), offered > 0]).toEqual([offered, true]);
  const same = await countStatuses(() => 'Led a season.');
  expect([same.get(201), await countOffered()]).toEqual([1, offered + 1]);
});

it('the tier limits how much is offered in a day', async () => {
  const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const match: TestMatch = await createVouchedMatch(limited);
  await limited.sql.run(sql`
    insert into credential_offers (id, member_id, org_id, credential_type, attestation_tier, about, claims, expiry_days, state, opens_at, closes_at,
      created_at, ended_at)
    select gen_random_uuid(), ${match.member.member_id}, ${match.org.org_id}, 'org_validation', 'org_validated', number::text, '{}', 1, 'declined',
      ${limited.clock.now()}::timestamptz, ${limited.clock.now()}::timestamptz + interval '1 day', ${limited.clock.now()}, ${limited.clock.now()}
    from generate_series(1, 24) as number`);
  expect((await sendAttestation(limited, match)).status).toBe(201);
  const refused = await sendAttestation(limited, match, { claims: { statement: 'Another.' } });
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
    429,
    'offer_limit_reached',
    '86400',
  ]);
});
