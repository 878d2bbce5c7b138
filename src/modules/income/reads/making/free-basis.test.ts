import { beforeAll, expect, test } from 'vitest';
import { claimDomains, recordOperatorProof, setTier } from '#modules/organisations/orgs';
import { startApp } from '#test/harness.ts';
import { findAliases, registerReadable, sendRead } from '#test/modules/reads.ts';
import { proves } from '#test/requirements.ts';
import { createEmail, type TestMember, type TestOrgUser } from '#test/users.ts';
import { findFreeBasis } from './find-free-basis.ts';

const app = await startApp();
let member: TestMember;
beforeAll(async () => {
  member = await registerReadable(app);
});

/** A mailbox whose address nobody can tell from a real one, with any number of others by a plus. */
const createMailbox = (suffix = '') => `${createEmail().split('@', 1)[0]}${suffix}@quay-mail.org`;

async function proveDomain({ org_id }: TestOrgUser, domain: string) {
  await app.sql.transaction(async (tx) => {
    await claimDomains(tx, { org_id, domains: [domain], now: app.clock.now() });
    await recordOperatorProof(app.platform, tx, { org_id, domain, actor: null });
  });
}

async function readFree(org: TestOrgUser, data_type: 'archetype' | 'trait_profile' = 'archetype') {
  const [alias] = (await findAliases(app, org, [member])) as [string];
  const { status, body } = await sendRead(app, org, alias, { data_type });
  return { status, left: body.pricing?.free_reads_left, usage: await readUsage(org) };
}

async function readUsage({ token }: TestOrgUser): Promise<readonly [all: number, left: number]> {
  const { body } = await app.request('GET', '/orgs/queries/usage', { token });
  return [body.free_reads, body.free_reads_left];
}

test('one mailbox has no free read, under however many addresses and organisations', async () => {
  proves('payment-free-allowance-one-time');
  for (const suffix of ['', '+1', '+2']) {
    const org = await app.registerOrgAdmin({ email: createMailbox(suffix) });
    expect(await readFree(org)).toEqual({ status: 402, left: 0, usage: [0, 0] });
  }
});

test('a proven domain gives them once, to one organisation, with all its subdomains', async () => {
  const first = await app.registerOrgAdmin({ email: createMailbox() });
  await proveDomain(first, 'pier.com.au');
  expect(await readUsage(first)).toEqual([5, 5]);
  expect(await readFree(first)).toEqual({ status: 200, left: undefined, usage: [5, 4] });
  for (const domain of ['pier.com.au', 'a.pier.com.au', 'b.a.pier.com.au']) {
    const other = await app.registerOrgAdmin({ email: createMailbox() });
    await proveDomain(other, domain);
    expect(await readFree(other)).toEqual({ status: 402, left: 0, usage: [0, 0] });
  }
  // The domain went to another organisation in between.
  expect(await readFree(first)).toMatchObject({ status: 402, usage: [0, 0] });
  await proveDomain(first, 'pier.com.au');
  expect(await readFree(first)).toEqual({ status: 200, left: undefined, usage: [5, 3] });
  const neighbour = await app.registerOrgAdmin({ email: createMailbox() });
  await proveDomain(neighbour, 'wharf.com.au');
  expect((await readFree(neighbour)).status).toBe(200);
});

test('of two organisations that use a domain at the same time, one has its free reads', async () => {
  const orgs = await Promise.all(
    ['x', 'y'].map(async (label) => {
      const org = await app.registerOrgAdmin({ email: createMailbox() });
      await proveDomain(org, `${label}.jetty.org`);
      const [alias] = (await findAliases(app, org, [member])) as [string];
      return { org, alias };
    }),
  );
  const types = ['archetype', 'trait_profile', 'values_profile'] as const;
  const replies = await Promise.all(
    orgs.flatMap(({ org, alias }) =>
      types.map(async (data_type) => ({
        org_id: org.org_id,
        status: (await sendRead(app, org, alias, { data_type })).status,
      })),
    ),
  );
  const served = replies.filter(({ status }) => status === 200);
  expect(served).toHaveLength(3);
  expect(new Set(served.map(({ org_id }) => org_id)).size).toBe(1);
});

test('the operator’s word gives them by tier, even for the lowest', async () => {
  proves('payment-free-allowance-sized-to-tier');
  for (const [tier, free_reads] of [
    ['E1 Explorer', 5],
    ['E2 Builder', 10],
    ['E3 Operator', 25],
    ['partner', 50],
  ] as const) {
    const org = await app.registerOrgAdmin({ email: createMailbox() });
    await setTier(app.platform, { org: org.org_id, tier });
    expect(await readFree(org)).toEqual({
      status: 200,
      left: undefined,
      usage: [free_reads, free_reads - 1],
    });
  }
  const operator = await app.registerPlatformAdmin();
  const org = await app.registerOrgAdmin({ email: createMailbox() });
  await app.request('PATCH', `/operator/organisations/${org.org_id}`, {
    token: operator.token,
    body: { tier: 'E1 Explorer' },
  });
  expect(await readUsage(org)).toEqual([5, 5]);
});

test('domains of tests give them to every organisation, except in production and before the address is verified', async () => {
  const local = createEmail().split('@', 1)[0]!;
  const domains = ['example.org', 'example.com', 'a.example.net', 'acme.example', 'acme.test', 'x.local'];
  for (const domain of domains) {
    const [one, other] = await Promise.all(
      ['', '+1'].map((suffix) => app.registerOrgAdmin({ email: `${local}${suffix}@${domain}` })),
    );
    expect([await readUsage(one!), await readUsage(other!)]).toEqual([
      [5, 5],
      [5, 5],
    ]);
    const production = { config: { ...app.platform.config, production: true } };
    expect(await findFreeBasis(production, app.sql, one!.org_id)).toBeUndefined();
  }
  const unverified = await app.registerOrgAdmin({ is_verified: false });
  expect(await readUsage(unverified)).toEqual([0, 0]);
  for (const domain of ['example.io', 'notexample.org', 'test.org', 'local.org']) {
    const org = await app.registerOrgAdmin({ email: `${local}@${domain}` });
    expect([domain, await readUsage(org)]).toEqual([domain, [0, 0]]);
  }
});
