import { describe, expect, it } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { requestVerification } from '#test/modules/credentials.ts';
import { createVouchedMatch, listOffers, sendAnswer, sendAttestation } from '#test/modules/offers.ts';

const app = await startApp();
const reason = 'It names the wrong season.';

const takeBack = (token: string | undefined, id: string, body: object = { reason }) =>
  app.request('POST', `/orgs/me/credentials/${id}/revoke`, { ...(token && { token }), body });

describe('an organisation takes back', () => {
  it('an offer, which can then not be accepted', async () => {
    const match = await createVouchedMatch(app);
    const { id } = (await sendAttestation(app, match)).body;
    const { status, body } = await takeBack(match.org.token, id);
    expect([status, body]).toMatchObject([200, { status: 'withdrawn', reason, credential_id: null }]);
    const late = await sendAnswer(app, match, id);
    expect([late.status, late.body.code]).toEqual([409, 'credential_offer_closed']);
    expect(await listOffers(app, match.member.token)).toMatchObject([{ status: 'withdrawn', reason }]);
    expect((await takeBack(match.org.token, id)).body.ended_at).toBe(body.ended_at);
  });

  it('a credential, which then verifies nowhere', async () => {
    const match = await createVouchedMatch(app);
    const { id } = (await sendAttestation(app, match)).body;
    const { credential_id } = (await sendAnswer(app, match, id)).body;
    const path = `/credentials/${credential_id}`;
    const { formats } = (await app.request('GET', path, { token: match.member.token })).body;
    const { status, body } = await takeBack(match.org.token, id);
    expect([status, body]).toMatchObject([200, { status: 'revoked', reason, credential_id }]);
    const read = await app.request('GET', path, { token: match.member.token });
    expect(read.body).toMatchObject({ status: 'revoked', revocation_reason: reason });
    expect((await requestVerification(app, formats.vc_jwt)).body.valid).toBe(false);
  });

  it('nothing that the member has declined', async () => {
    const match = await createVouchedMatch(app);
    const { id } = (await sendAttestation(app, match)).body;
    await sendAnswer(app, match, id, { decision: 'decline' });
    const { status, body } = await takeBack(match.org.token, id);
    expect([status, body.code]).toEqual([409, 'credential_offer_closed']);
  });

  it('nothing without a reason, nothing of others, and only as an administrator', async () => {
    const [match, other] = [await createVouchedMatch(app), await createVouchedMatch(app)];
    const { id } = (await sendAttestation(app, other)).body;
    for (const each of [id, unknownId]) {
      const { status, body } = await takeBack(match.org.token, each);
      expect([status, body.code]).toEqual([404, 'credential_offer_not_found']);
    }
    expect((await takeBack(other.org.token, id, {})).body.errors[0].pointer).toBe('/reason');
    expect((await takeBack(undefined, id)).status).toBe(401);
    expect((await takeBack(other.member.token, id)).status).toBe(403);
  });
});
