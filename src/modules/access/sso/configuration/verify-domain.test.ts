import { beforeEach, describe, expect, test } from 'vitest';
import { setTier, verifyDomain } from '#modules/organisations/orgs';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { unknownId, startApp } from '#test/harness.ts';
import {
  buildConfigurationBody,
  completeSsoLogin,
  createOperatorOrganisation,
  createSsoOrganisation,
  type SsoOrganisation,
} from '#test/modules/sso.ts';
import { startNameServer } from '#test/name-server.ts';

const server = await startNameServer();
const app = await startApp({ TESSERA_NAME_SERVERS: server.address });
beforeEach(() => {
  server.mode = 'records';
});

type Domain = {
  readonly domain: string;
  readonly verified: boolean;
  readonly verified_by: string | null;
  readonly verified_at: string | null;
  readonly record_name: string;
  readonly record_value: string;
};

let domains = 0;
/** Creates a domain that nobody has claimed yet. Its name is not a reserved one, so it needs a proof. */
const createDomain = () => `harbour-${domains++}.org`;
const createOrganisation = (...email_domains: readonly string[]) =>
  createSsoOrganisation(app, { email_domains });
const verify = ({ org_id, admin }: SsoOrganisation, domain: string) =>
  app.request('POST', `/orgs/${org_id}/sso/domains/${domain}/verify`, { token: admin.token });

async function readDomain({ org_id, admin }: SsoOrganisation, domain: string): Promise<Domain> {
  const { body } = await app.request('GET', `/orgs/${org_id}/sso/configuration`, { token: admin.token });
  return (body.domains as Domain[]).find((each) => each.domain === domain)!;
}

/** Publishes the record that the configuration shows, beside those that are there. */
async function publishRecord(organisation: SsoOrganisation, domain: string): Promise<string> {
  const { record_name, record_value } = await readDomain(organisation, domain);
  server.texts.set(record_name, [...(server.texts.get(record_name) ?? []), record_value]);
  return record_value;
}

const listActions = ({ org_id }: SsoOrganisation) =>
  app.sql.list(sql<Record<string, unknown>>`
    select action, actor_user_id, detail from audit_log where org_id = ${org_id} and action like 'orgs.domain%' order by created_at, action`);
const findUser = (email: string) =>
  app.sql.find(sql<{ id: string; role: string; org_id: string | null }>`
    select id, role, org_id from users where email = ${email}`);

describe('a domain', () => {
  test('creates no users until its TXT record is found, and then it does', async () => {
    const domain = createDomain();
    const ours = await createOrganisation(domain);
    const email = `ada@${domain}`;
    const before = await completeSsoLogin(app, ours, { email });
    expect([before.status, before.body.code, before.cookies]).toEqual([403, 'sso_domain_unverified', {}]);
    expect(await findUser(email)).toBeUndefined();

    const unverified = await readDomain(ours, domain);
    expect(unverified).toEqual({
      domain,
      verified: false,
      verified_by: null,
      verified_at: null,
      record_name: `_tessera-challenge.${domain}`,
      record_value: expect.stringMatching(/^tessera-verification=[\w-]{24}$/),
    });
    await publishRecord(ours, domain);
    const { status, body } = await verify(ours, domain.toUpperCase());
    expect([status, body]).toEqual([
      200,
      { ...unverified, verified: true, verified_by: 'dns', verified_at: app.clock.now().toISOString() },
    ]);
    expect(await readDomain(ours, domain)).toEqual(body);
    expect((await completeSsoLogin(app, ours, { email })).status).toBe(200);
    expect(await listActions(ours)).toEqual([
      {
        action: 'orgs.domain_verified',
        actor_user_id: ours.admin.user_id,
        detail: { domain, verified_by: 'dns' },
      },
    ]);
  });

  test('is not verified without the record, with another text, or with the record of another organisation', async () => {
    const domain = createDomain();
    const [ours, theirs] = [await createOrganisation(domain), await createOrganisation(domain)];
    const { record_name, record_value } = await readDomain(ours, domain);
    const absent = await verify(ours, domain);
    expect([absent.status, absent.body.code]).toEqual([409, 'domain_unproven']);
    expect(absent.body.detail).toContain(`${record_name} contains "${record_value}"`);
    server.texts.set(record_name, ['tessera-verification=', `${record_value}x`, `x${record_value}`]);
    await publishRecord(theirs, domain);
    expect((await verify(ours, domain)).body.code).toBe('domain_unproven');
    expect((await readDomain(ours, domain)).verified).toBe(false);
    expect(server.asked).toContain(record_name);
  });

  test('stays unverified while the name servers fail, and the reply asks the caller to try again', async () => {
    const domain = createDomain();
    const ours = await createOrganisation(domain);
    await publishRecord(ours, domain);
    server.mode = 'failure';
    const { status, body, headers } = await verify(ours, domain);
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'name_server_unavailable', '60']);
    server.mode = 'records';
    expect((await verify(ours, domain)).status).toBe(200);
  });

  test('loses its proof when the configuration no longer has it, and then needs another record', async () => {
    const domain = createDomain();
    const ours = await createOrganisation(domain);
    await publishRecord(ours, domain);
    await verify(ours, domain);
    const { record_value } = await readDomain(ours, domain);
    const configure = (...email_domains: readonly string[]) =>
      app.request('POST', `/orgs/${ours.org_id}/sso/configure`, {
        token: ours.admin.token,
        body: buildConfigurationBody({ email_domains }),
      });
    const kept = await configure(domain, createDomain());
    expect(kept.body.domains[0]).toMatchObject({ domain, verified: true, record_value });
    expect((await configure(createDomain())).body.domains).toHaveLength(1);
    expect((await verify(ours, domain)).body.code).toBe('domain_not_found');
    const again = (await configure(domain)).body.domains[0];
    expect(again.verified).toBe(false);
    expect(again.record_value).not.toBe(record_value);
    expect((await verify(ours, domain)).body.code).toBe('domain_unproven');
  });

  test('with a reserved name counts as verified, without a look-up', async () => {
    const ours = await createOrganisation('harbour.example');
    const { status, body } = await verify(ours, 'harbour.example');
    expect([status, body.verified, body.verified_by]).toEqual([200, true, 'reserved_name']);
    expect(server.asked.filter((name) => name.endsWith('.example'))).toEqual([]);
  });

  test.each(['gmail.com', 'GMail.com', 'outlook.com', 'yahoo.co.uk', 'gmx.de', 'qq.com'])(
    'of a public email service is refused: %s',
    async (domain) => {
      const { org_id, admin } = await createOrganisation('harbour.example');
      const { body } = await app.request('POST', `/orgs/${org_id}/sso/configure`, {
        token: admin.token,
        body: buildConfigurationBody({ email_domains: ['a.org', domain] }),
      });
      expect([body.code, body.errors[0].pointer]).toEqual(['field_invalid', '/email_domains/1']);
    },
  );

  test('of a public email service that was configured before cannot be verified and creates no users', async () => {
    const ours = await createOrganisation('harbour.example');
    await app.sql.run(sql`
      update sso_configurations set email_domains = ${['gmail.com']} where org_id = ${ours.org_id}`);
    await app.sql.run(sql`
      insert into organisation_domains (org_id, domain, challenge, verified_at, verified_by, created_at)
      values (${ours.org_id}, 'gmail.com', 'x1234567890123456789012', now(), 'operator', now())`);
    expect((await verify(ours, 'gmail.com')).body.code).toBe('domain_not_found');
    const { body } = await completeSsoLogin(app, ours, { email: 'ada@gmail.com' });
    expect(body.code).toBe('sso_domain_unverified');
  });
});

describe('of two organisations with the same domain', () => {
  async function createRivals() {
    const domain = createDomain();
    const [first, second] = [await createOrganisation(domain), await createOrganisation(domain)];
    await publishRecord(first, domain);
    expect((await verify(first, domain)).status).toBe(200);
    return { domain, first, second };
  }

  test('the one with the latest proof holds it, and a record that the other left behind proves nothing', async () => {
    const { domain, first, second } = await createRivals();
    const lost = (await readDomain(first, domain)).record_value;
    app.clock.advance(1_000);
    await publishRecord(second, domain);
    expect((await verify(second, domain)).body.verified).toBe(true);
    const after = await readDomain(first, domain);
    expect([after.verified, after.verified_at]).toEqual([false, null]);
    expect(after.record_value).not.toBe(lost);
    expect((await verify(first, domain)).body.code).toBe('domain_unproven');
    expect((await readDomain(second, domain)).verified).toBe(true);
    expect((await listActions(first)).at(-1)).toEqual({
      action: 'orgs.domain_lost',
      actor_user_id: null,
      detail: { domain },
    });
    await publishRecord(first, domain);
    expect((await verify(first, domain)).body.verified).toBe(true);
    expect((await readDomain(second, domain)).verified).toBe(false);
  });

  test('one holds it after two proofs at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const domain = createDomain();
      const rivals = [await createOrganisation(domain), await createOrganisation(domain)];
      for (const rival of rivals) await publishRecord(rival, domain);
      const replies = await Promise.all(rivals.map((rival) => verify(rival, domain)));
      expect(replies.every(({ status }) => status === 200 || status === 404)).toBe(true);
      const held = await Promise.all(rivals.map((rival) => readDomain(rival, domain)));
      expect(held.filter(({ verified }) => verified)).toHaveLength(1);
    }
  });

  test('the holder’s users displace accounts that the other created and nobody verified', async () => {
    const { domain, first, second } = await createRivals();
    const email = `ada@${domain}`;
    const wrong = await completeSsoLogin(app, first, { email });
    expect(wrong.status).toBe(200);
    const early = await completeSsoLogin(app, second, { email });
    expect([early.status, early.body.code]).toEqual([403, 'sso_domain_unverified']);
    expect((await findUser(email))?.org_id).toBe(first.org_id);

    await publishRecord(second, domain);
    await verify(second, domain);
    const right = await completeSsoLogin(app, second, { email });
    expect([right.status, right.body.user.linked_entity_id]).toEqual([200, second.org_id]);
    const { access_token: token } = wrong.body;
    expect((await app.request('GET', '/auth/me', { token })).body.code).toBe('token_invalid');
    const back = await completeSsoLogin(app, first, { email });
    expect([back.status, back.body.code]).toEqual([403, 'sso_domain_unverified']);
  });

  test('the holder displaces strangers who registered with its addresses, and no account that is verified', async () => {
    const { domain, first } = await createRivals();
    const stranger = await app.registerMember({ email: `eve@${domain}` });
    const owner = await app.registerMember({ email: `ada@${domain}` });
    await app.sql.run(
      sql`update users set email_verified_at = ${app.clock.now()} where id = ${owner.user_id}`,
    );
    expect((await completeSsoLogin(app, first, { email: stranger.email })).status).toBe(200);
    expect((await app.request('GET', '/auth/me', { token: stranger.token })).status).toBe(401);
    const refused = await completeSsoLogin(app, first, { email: owner.email });
    expect([refused.status, refused.body.code]).toEqual([403, 'sso_account_refused']);
    expect((await app.request('GET', '/auth/me', { token: owner.token })).status).toBe(200);
  });
});

describe('the owner of a mailbox', () => {
  const new_password = 'Another-Horse-8-Stable';
  const listEmails = async (email: string) => (await app.readMails()).filter(({ to }) => to.includes(email));

  /** An account that single sign-on created while its organisation held the domain, which another organisation then proved. */
  async function createWrongAccount() {
    const domain = createDomain();
    const [wrong, right] = [await createOrganisation(domain), await createOrganisation(domain)];
    await publishRecord(wrong, domain);
    await verify(wrong, domain);
    const email = `ada@${domain}`;
    const { body } = await completeSsoLogin(app, wrong, { email });
    const takeDomain = async () => {
      await publishRecord(right, domain);
      await verify(right, domain);
    };
    return {
      domain,
      email,
      wrong,
      user_id: body.user.id as string,
      token: body.access_token as string,
      takeDomain,
    };
  }

  async function requestReset(email: string): Promise<string | undefined> {
    await app.request('POST', '/auth/forgot-password', { body: { email } });
    await app.drainQueue();
    const mail = (await listEmails(email)).findLast(({ text }) => text.includes('/reset-password?'));
    return mail && /token=([\w-]{43})/.exec(mail.text)![1]!;
  }
  const reset = (token: string) =>
    app.request('POST', '/auth/reset-password', { body: { token, new_password } });

  test('gets the address, and never the account, that was created under a claim that proved wrong', async () => {
    const { email, wrong, user_id, token, takeDomain } = await createWrongAccount();
    expect(await requestReset(email)).toBeUndefined();
    await takeDomain();
    const reset_token = await requestReset(email);
    expect((await listEmails(email)).at(-1)!.text).toContain('It removes that account');
    expect((await reset(reset_token!)).status).toBe(204);

    expect((await app.request('GET', '/auth/me', { token })).body.code).toBe('token_invalid');
    const login = await app.request('POST', '/auth/login', { body: { email, password: new_password } });
    expect([login.status, login.body.user.role]).toEqual([200, 'member']);
    expect(login.body.user.id).not.toBe(user_id);
    const me = await app.request('GET', '/members/me/engagement', { token: login.body.access_token });
    expect(me.status).toBe(200);
    expect((await completeSsoLogin(app, wrong, { email })).status).toBe(403);
    expect((await findUser(email))?.org_id).toBeNull();
    expect((await reset(reset_token!)).body.code).toBe('reset_token_invalid');
  });

  test('gets nothing if the organisation has verified the domain in the meantime', async () => {
    const { domain, email, wrong, token, takeDomain } = await createWrongAccount();
    await takeDomain();
    const reset_token = await requestReset(email);
    await publishRecord(wrong, domain);
    await verify(wrong, domain);
    const { status, body } = await reset(reset_token!);
    expect([status, body.code]).toEqual([410, 'reset_token_invalid']);
    expect((await app.request('GET', '/auth/me', { token })).status).toBe(200);
  });
});

describe('verifying is refused', () => {
  test('for callers who are not logged in, for other roles, and for other organisations', async () => {
    const domain = createDomain();
    const ours = await createOrganisation(domain);
    await publishRecord(ours, domain);
    const path = `/orgs/${ours.org_id}/sso/domains/${domain}/verify`;
    expect((await app.request('POST', path)).status).toBe(401);
    for (const { token } of [
      await createColleague(app, ours.org_id, 'org_viewer'),
      await createColleague(app, ours.org_id, 'auditor'),
      await app.registerMember(),
      await app.registerPlatformAdmin(),
    ])
      expect((await app.request('POST', path, { token })).body.code).toBe('role_not_allowed');
    const { token } = await createOperatorOrganisation(app);
    for (const org_id of [ours.org_id, unknownId]) {
      const { status, body } = await app.request('POST', `/orgs/${org_id}/sso/domains/${domain}/verify`, {
        token,
      });
      expect([status, body.code]).toEqual([404, 'organisation_not_found']);
    }
    expect((await readDomain(ours, domain)).verified).toBe(false);
  });

  test('for a domain that the organisation does not claim, a malformed one, and a tier below E3 Operator', async () => {
    const ours = await createOrganisation(createDomain());
    const theirs = createDomain();
    await createOrganisation(theirs);
    for (const domain of [theirs, createDomain()]) {
      const { status, body } = await verify(ours, domain);
      expect([status, body.code]).toEqual([404, 'domain_not_found']);
    }
    const malformed = await verify(ours, 'no_domain');
    expect([malformed.status, malformed.body.errors[0].pointer]).toEqual([422, '/domain']);
    await setTier(app.platform, { org: ours.org_id, tier: 'E2 Builder' });
    expect((await verify(ours, theirs)).body.code).toBe('organisation_tier_too_low');
  });
});

test('the operator’s word verifies a domain without a record, and single sign-on then creates users', async () => {
  const domain = createDomain();
  const ours = await createOrganisation(domain);
  await verifyDomain(app.platform, { org: ours.org_id, domain });
  expect(await readDomain(ours, domain)).toMatchObject({ verified: true, verified_by: 'operator' });
  const { status, body } = await completeSsoLogin(app, ours, { email: `ada@${domain}` });
  expect([status, body.user.role]).toEqual([200, 'org_viewer']);
  expect(body.user.email).toBe(`ada@${domain}`);
});
