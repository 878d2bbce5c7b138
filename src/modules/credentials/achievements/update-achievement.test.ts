import { describe, expect, it } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { achievementDraft, createPng, createVouchedMatch, sendAttestation } from '#test/modules/offers.ts';

const app = await startApp();

const define = async (token: string, body: object = {}) =>
  (await app.request('POST', '/orgs/me/achievements', { token, body: { ...achievementDraft, ...body } }))
    .body;

const change = (token: string | undefined, id: string, body: object) =>
  app.request('PATCH', `/orgs/me/achievements/${id}`, { ...(token && { token }), body });

describe('an achievement', () => {
  it('can be changed while nobody was offered it; what is left out stays', async () => {
    const { token } = await app.registerOrgAdmin();
    const { id } = await define(token, { image: createPng().toString('base64') });
    const { status, body } = await change(token, id, { name: 'Leader of a team' });
    expect([status, body]).toMatchObject([200, { ...achievementDraft, name: 'Leader of a team' }]);
    expect(body.image_url).not.toBeNull();
    const without = await change(token, id, { image: null, criteria: 'Other.' });
    expect(without.body).toMatchObject({ image_url: null, criteria: 'Other.', name: 'Leader of a team' });
  });

  it('keeps its meaning once it was offered, and can be archived', async () => {
    const match = await createVouchedMatch(app);
    const { token } = match.org;
    const { id } = await define(token);
    await sendAttestation(app, match, { achievement_id: id });
    for (const body of [{ name: 'Other' }, { image: null }, { alignments: [] }, { criteria: 'Less.' }])
      expect((await change(token, id, body)).body.code).toBe('achievement_in_use');
    const archived = await change(token, id, { archived: true });
    expect([archived.status, archived.body]).toMatchObject([200, { archived: true, is_offered: true }]);
    expect((await sendAttestation(app, match, { achievement_id: id })).body.code).toBe(
      'achievement_not_found',
    );
  });

  it('cannot take the name of another one', async () => {
    const { token } = await app.registerOrgAdmin();
    await define(token);
    const { id } = await define(token, { name: 'Second' });
    expect((await change(token, id, { name: achievementDraft.name })).body.code).toBe(
      'achievement_name_taken',
    );
    expect((await change(token, id, { image: 'PHN2Zz4=' })).body.errors[0].pointer).toBe('/image');
  });

  it('is changed by administrators of its organisation only', async () => {
    const [{ token }, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
    const { id } = await define(theirs.token);
    for (const each of [id, unknownId]) {
      const { status, body } = await change(token, each, { archived: true });
      expect([status, body.code]).toEqual([404, 'achievement_not_found']);
    }
    expect((await change(undefined, id, {})).status).toBe(401);
    const member = await app.registerMember();
    expect((await change(member.token, id, {})).status).toBe(403);
  });
});
