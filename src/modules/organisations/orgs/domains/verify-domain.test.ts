import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { isVerifiedByName } from './check-domain-holder.ts';
import { claimDomains } from './claim-domains.ts';
import { listDomainClaims } from './store.ts';
import { verifyDomain } from './verify-domain.ts';

const app = await startApp();

let domains = 0;
async function createClaimant(domain = `quay-${domains++}.org`) {
  const { org_id } = await app.registerOrgAdmin({ name: `Claimant ${domains++}` });
  await app.sql.transaction((tx) => claimDomains(tx, { org_id, domains: [domain], now: app.clock.now() }));
  return { org_id, domain };
}
const readClaim = async (org_id: string) => (await listDomainClaims(app.sql, org_id))[0];
const readAudit = (org_id: string) =>
  app.sql.list(sql`
    select action, actor_user_id, detail from audit_log where org_id = ${org_id} and action like 'orgs.domain%'`);

test('verifies a domain that the organisation claims, and records it', async () => {
  const { org_id, domain } = await createClaimant();
  expect(
    await verifyDomain(app.platform, { org: org_id.toUpperCase(), domain: domain.toUpperCase() }),
  ).toEqual({
    org_id,
    domain,
    verified_by: 'operator',
  });
  expect(await readClaim(org_id)).toMatchObject({ verified_at: app.clock.now(), verified_by: 'operator' });
  expect(await readAudit(org_id)).toEqual([
    { action: 'orgs.domain_verified', actor_user_id: null, detail: { domain, verified_by: 'operator' } },
  ]);
});

test('takes the domain from the organisation that held it', async () => {
  const first = await createClaimant();
  const second = await createClaimant(first.domain);
  await verifyDomain(app.platform, { org: first.org_id, domain: first.domain });
  await verifyDomain(app.platform, { org: second.org_id, domain: first.domain });
  expect((await readClaim(first.org_id))?.verified_at).toBeNull();
  expect((await readClaim(second.org_id))?.verified_by).toBe('operator');
  expect((await readAudit(first.org_id)).at(-1)).toMatchObject({ action: 'orgs.domain_lost' });
});

test.each([unknownId, 'not-an-id', ''])('refuses the organisation %j, which does not exist', async (org) => {
  const { org_id, domain } = await createClaimant();
  await expect(verifyDomain(app.platform, { org, domain })).rejects.toMatchObject({
    code: 'organisation_not_found',
  });
  expect((await readClaim(org_id))?.verified_at).toBeNull();
});

test('refuses a public email domain', async () => {
  const { org_id } = await createClaimant('hotmail.com');
  await expect(verifyDomain(app.platform, { org: org_id, domain: 'Hotmail.com' })).rejects.toMatchObject({
    code: 'field_invalid',
  });
});

test('a reserved name counts as verified, except in production', () => {
  const { config } = app.platform;
  for (const domain of ['harbour.example', 'a.test', 'a.b.invalid', 'a.localhost']) {
    expect([domain, isVerifiedByName({ config }, domain)]).toEqual([domain, true]);
    expect(isVerifiedByName({ config: { ...config, production: true } }, domain)).toBe(false);
  }
  for (const domain of ['harbour.org', 'example.org', 'notexample', 'a.example.org'])
    expect([domain, isVerifiedByName({ config }, domain)]).toEqual([domain, false]);
});
