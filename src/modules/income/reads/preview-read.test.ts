import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const readPreview = (token?: string, query = '') =>
  app.request('GET', `/members/me/previews/read${query}`, { ...(token !== undefined && { token }) });

describe('the preview of a paid read', () => {
  it('shows labels and no number, for a kind of data that the member has not approved yet', async () => {
    const member = await app.registerDeployedMember();
    const { status, body } = await readPreview(member.token);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      archetype: expect.any(String),
      trait_tiers: { cognitive_style: expect.stringMatching(/^(high|strong|moderate|emerging)$/) },
    });
    const values = await readPreview(member.token, '?data_type=values_profile');
    expect(values.body.values).toMatchObject({ honesty: expect.any(String) });
  });

  it('refuses a member without a result, kinds that need an organisation, other roles and strangers', async () => {
    const { token } = await app.registerMember();
    const none = await readPreview(token);
    expect([none.status, none.body.code]).toEqual([404, 'trait_vector_not_found']);
    expect((await readPreview(token, '?data_type=alignment')).status).toBe(422);
    expect((await readPreview((await app.registerOrgAdmin()).token)).body.code).toBe('role_not_allowed');
    expect((await readPreview()).status).toBe(401);
  });
});
