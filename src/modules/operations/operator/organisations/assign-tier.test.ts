import { describe, expect, it } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const request = (method: string, path: string, body?: object, headers = {}) =>
  app.request(method, `/operator/organisations${path}`, {
    token: operator.token,
    headers,
    ...(body && { body }),
  });

describe('the tier of an organisation', () => {
  it('is set by the operator, applies at once, and is in the audit log of the organisation', async () => {
    const { org_id, token } = await app.registerOrgAdmin();
    const { headers } = await request('GET', `/${org_id}`);
    const { status, body } = await request(
      'PATCH',
      `/${org_id}`,
      { tier: 'E3 Operator' },
      { 'if-match': String(headers['etag']) },
    );
    expect([status, body]).toEqual([200, (await request('GET', `/${org_id}`)).body]);
    expect((await app.request('GET', '/orgs/me', { token })).body.tier).toBe('E3 Operator');
    expect(await listActs(app, 'orgs.tier_set', operator.user_id)).toContainEqual(
      expect.objectContaining({ org_id, actor_role: 'platform_admin', detail: { tier: 'E3 Operator' } }),
    );
    const late = await request(
      'PATCH',
      `/${org_id}`,
      { tier: 'partner' },
      { 'if-match': String(headers['etag']) },
    );
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
  });

  it('is refused for another tier, an unknown organisation, and others than the operator', async () => {
    const { org_id } = await app.registerOrgAdmin();
    expect((await request('PATCH', `/${org_id}`, { tier: 'E9' })).body.errors[0].pointer).toBe('/tier');
    expect((await request('PATCH', `/${unknownId}`, { tier: 'partner' })).body.code).toBe(
      'organisation_not_found',
    );
    await expectOperatorOnly(app, 'PATCH', `/operator/organisations/${org_id}`, { tier: 'partner' });
  });
});
