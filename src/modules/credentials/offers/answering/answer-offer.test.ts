import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createVouchedMatch, listOffers, sendAnswer, sendAttestation } from '#test/modules/offers.ts';
import { shiftTime } from '#test/shift-time.ts';

const app = await startApp();

const offer = async () => {
  const match = await createVouchedMatch(app);
  const { id } = (await sendAttestation(app, match)).body as { id: string };
  return { ...match, id };
};

const listCredentials = async (token: string) =>
  (await app.request('GET', '/credentials/', { token })).body.data as { id: string; status: string }[];

const takeBack = (token: string, id: string) =>
  app.request('POST', `/orgs/me/credentials/${id}/revoke`, { token, body: { reason: 'Wrong.' } });

describe('a member', () => {
  it('accepts once; repeating the answer replies the same credential', async () => {
    const match = await offer();
    const first = await sendAnswer(app, match, match.id);
    const second = await sendAnswer(app, match, match.id);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await listCredentials(match.member.token)).toMatchObject([
      {
        id: first.body.credential_id,
        title: first.body.claims.job_title ?? null,
        organisation_name: first.body.claims.organisation_name,
      },
    ]);
    const late = await sendAnswer(app, match, match.id, { decision: 'decline' });
    expect([late.status, late.body.code]).toEqual([409, 'credential_offer_closed']);
  });

  it('declines, and then nothing is issued', async () => {
    const match = await offer();
    const { body } = await sendAnswer(app, match, match.id, { decision: 'decline' });
    expect(body).toMatchObject({ status: 'declined', credential_id: null });
    expect((await sendAnswer(app, match, match.id)).body.code).toBe('credential_offer_closed');
    expect(await listCredentials(match.member.token)).toEqual([]);
  });

  it('disputes what is wrong, with words for the organisation', async () => {
    const match = await offer();
    const answer = { decision: 'dispute', reason: 'I left in May.' };
    expect((await sendAnswer(app, match, match.id, answer)).body.status).toBe('disputed');
    const wrong = await sendAnswer(app, match, match.id, { decision: 'accept', reason: 'Thanks.' });
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/reason']);
  });

  it('cannot accept what has expired', async () => {
    const match = await offer();
    await app.sql.run(sql`
      update credential_offers set opens_at = ${shiftTime('opens_at', -91)}, closes_at = ${shiftTime('closes_at', -91)} where id = ${match.id}`);
    const { status, body } = await sendAnswer(app, match, match.id);
    expect([status, body.code, body.detail]).toEqual([
      409,
      'credential_offer_closed',
      'The offer is expired.',
    ]);
    expect(await listOffers(app, match.member.token)).toMatchObject([{ status: 'expired' }]);
    expect((await sendAttestation(app, match)).status).toBe(201);
  });

  it('cannot accept after the organisation has lost its domain, or is suspended', async () => {
    const [lost, suspended] = [await offer(), await offer()];
    await app.sql.run(
      sql`update organisation_domains set verified_at = null, verified_by = null where org_id = ${lost.org.org_id}`,
    );
    await app.sql.run(
      sql`update organisations set suspended_at = ${app.clock.now()} where id = ${suspended.org.org_id}`,
    );
    for (const match of [lost, suspended]) {
      const { status, body } = await sendAnswer(app, match, match.id);
      expect([status, body.code]).toEqual([409, 'credential_offer_closed']);
      expect(await listCredentials(match.member.token)).toEqual([]);
    }
  });

  it('cannot accept while the account is marked for deletion', async () => {
    const match = await offer();
    await app.sql.run(
      sql`update members set account_status = 'pending_deletion' where id = ${match.member.member_id}`,
    );
    const { status } = await sendAnswer(app, match, match.id);
    expect(status).toBe(403);
  });

  it('answers no offer to another member, and nobody else answers', async () => {
    const [match, other] = [await offer(), await createVouchedMatch(app)];
    for (const id of [match.id, unknownId]) {
      const { status, body } = await sendAnswer(app, other, id);
      expect([status, body.code]).toEqual([404, 'credential_offer_not_found']);
    }
    const path = `/members/me/credential-offers/${match.id}`;
    const body = { decision: 'accept' };
    expect((await app.request('POST', path, { body })).status).toBe(401);
    expect((await app.request('POST', path, { body, token: match.org.token })).status).toBe(403);
    const wrong = await sendAnswer(app, match, match.id, { decision: 'maybe' });
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/decision']);
  });
});

describe('at the same time', () => {
  it('several acceptances issue one credential', async () => {
    const match = await offer();
    const replies = await Promise.all(Array.from({ length: 4 }, () => sendAnswer(app, match, match.id)));
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.credential_id}`)).size).toBe(1);
    expect(await listCredentials(match.member.token)).toHaveLength(1);
  });

  it('an acceptance and a withdrawal leave either no credential or a revoked one', async () => {
    for (let round = 0; round < 5; round++) {
      const match = await offer();
      const [accepted, taken] = await Promise.all([
        sendAnswer(app, match, match.id),
        takeBack(match.org.token, match.id),
      ]);
      expect(taken.status).toBe(200);
      const credentials = await listCredentials(match.member.token);
      const states = credentials.map(({ status }: { readonly status: string }) => status);
      expect([['accepted', 'revoked'], ['credential_offer_closed']]).toContainEqual([
        accepted.body.code ?? accepted.body.status,
        ...states,
      ]);
    }
  });

  it('the same statement is offered once', async () => {
    const match = await createVouchedMatch(app);
    const replies = await Promise.all(Array.from({ length: 4 }, () => sendAttestation(app, match)));
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 409, 409, 409,
    ]);
  });
});

type Model = { state: string; credential: 'none' | 'active' | 'revoked' };

/** What each act does to an offer, by the words of the guide and not by the code. */
const acts: Readonly<Record<string, (model: Model) => Model>> = {
  accept: (model) => (model.state === 'open' ? { state: 'accepted', credential: 'active' } : model),
  decline: (model) => (model.state === 'open' ? { ...model, state: 'declined' } : model),
  dispute: (model) => (model.state === 'open' ? { ...model, state: 'disputed' } : model),
  takeBack: (model) => {
    if (model.state === 'open') return { ...model, state: 'withdrawn' };
    return model.state === 'accepted' ? { state: 'revoked', credential: 'revoked' } : model;
  },
  revokeOwn: (model) => (model.credential === 'active' ? { ...model, credential: 'revoked' } : model),
};

describe('whatever both sides do, one after the other,', () => {
  it.each(Object.keys(acts))('an offer and its credential are as the guide says: first %s', async (first) => {
    const match = await createVouchedMatch(app);
    for (const second of Object.keys(acts))
      for (const third of ['accept', 'takeBack', 'decline']) {
        const done = [first, second, third];
        const { id } = (await sendAttestation(app, match, { claims: { statement: done.join(', ') } })).body;
        let model: Model = { state: 'open', credential: 'none' };
        for (const act of done) {
          await perform({ ...match, id }, act);
          model = acts[act]!(model);
        }
        expect({ done, ...(await readState({ ...match, id })) }).toEqual({ done, ...model });
      }
  });
});

type Offered = Awaited<ReturnType<typeof offer>>;

async function perform(match: Offered, act: string): Promise<void> {
  if (act === 'takeBack') return void (await takeBack(match.org.token, match.id));
  if (act !== 'revokeOwn') return void (await sendAnswer(app, match, match.id, { decision: act }));
  const { credential_id } = await findOffer(match);
  if (credential_id !== null)
    await app.request('POST', `/credentials/${credential_id}/revoke`, {
      token: match.member.token,
      body: {},
    });
}

async function findOffer({ member, id }: Offered): Promise<{ status: string; credential_id: string | null }> {
  const offers = await listOffers(app, member.token, '?limit=100');
  return offers.find((each) => each.id === id);
}

async function readState(match: Offered) {
  const { status: state, credential_id } = await findOffer(match);
  if (credential_id === null) return { state, credential: 'none' };
  const { body } = await app.request('GET', `/credentials/${credential_id}`, { token: match.member.token });
  return { state, credential: body.status };
}
