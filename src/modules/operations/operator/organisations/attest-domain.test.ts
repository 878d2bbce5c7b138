import { describe, expect, it } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { randomUUID } from 'node:crypto';
import { claimDomains, findShownDomain } from '#modules/organisations/orgs';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const request = (method: string, path: string, body?: object) =>
  app.request(method, `/operator/organisations${path}`, {
    token: operator.token,
    ...(body && { body }),
  });

describe('verifying a domain for an organisation', () => {
  it('is recorded with the operator’s name, and the challenge is not shown', async () => {
    const { org_id } = await app.registerOrgAdmin();
    await app.sql.transaction((tx) =>
      claimDomains(tx, { org_id, domains: ['pier.org'], now: app.clock.now() }),
    );
    const verified = {
      domain: 'pier.org',
      verified_at: app.clock.now().toISOString(),
      verified_by: 'operator',
    };
    const { status, body } = await request('POST', `/${org_id.toUpperCase()}/domains/PIER.org/verify`, {});
    expect([status, body]).toEqual([200, verified]);
    expect((await request('GET', `/${org_id}`)).body.domains).toEqual([verified]);
    expect(await listActs(app, 'orgs.domain_verified', operator.user_id)).toMatchObject([{ org_id }]);
  });

  it('needs no claim: the organisation is known by the domain from then on', async () => {
    const { org_id, token } = await app.registerOrgAdmin({ email: `a-${randomUUID()}@mole.org` });
    const readFree = async () =>
      (await app.request('GET', '/orgs/queries/usage', { token })).body.free_reads as number;
    expect(await readFree()).toBe(0);
    expect((await request('POST', `/${org_id}/domains/mole.org/verify`, {})).status).toBe(200);
    expect(await findShownDomain(app.platform, app.sql, org_id)).toBe('mole.org');
    expect(await readFree()).toBe(5);
  });

  it('is refused for an unknown organisation, for a text that is not a domain, and for one of a public email service', async () => {
    const { org_id } = await app.registerOrgAdmin();
    const verify = async (domain: string) =>
      (await request('POST', `/${org_id}/domains/${domain}/verify`, {})).body.code;
    expect((await request('POST', `/${unknownId}/domains/pier.org/verify`, {})).body.code).toBe(
      'organisation_not_found',
    );
    expect(await verify('pier')).toBe('field_invalid');
    expect(await verify('gmail.com')).toBe('field_invalid');
    expect(await verify('a_b')).toBe('field_invalid');
    await expectOperatorOnly(app, 'POST', `/operator/organisations/${org_id}/domains/pier.org/verify`, {});
  });
});
