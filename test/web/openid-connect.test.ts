import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { findFreePort } from '#test/free-port.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import { startApp } from '../harness.ts';
import {
  configureOpenid,
  createOpenidOrganisation,
  openid_domain,
  openidClient,
  startOpenidProvider,
} from '../modules/openid.ts';
import { password } from '../users.ts';
import { canBrowse, openBrowser } from './open-browser.ts';
import { createVisitor } from './visitor.ts';

const port = await findFreePort();
const url = `http://localhost:${port}`;
const app = await startApp({
  TESSERA_PUBLIC_URL: url,
  TESSERA_PORT: String(port),
  TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true',
});
await app.server.listen({ port, host: '127.0.0.1' });
const organisation = await createOpenidOrganisation(app);
const provider = await startOpenidProvider(organisation.redirect_uri);
provider.users['ada'] = { email: `ada@${openid_domain}`, email_verified: true, groups: ['auditors'] };

const setUp = {
  issuer: provider.issuer,
  client_id: openidClient.client_id,
  client_secret: openidClient.client_secret,
  email_domains: openid_domain,
  default_role: 'org_viewer',
  role_claim: 'groups',
  auditor_values: 'auditors\nCN=auditors,OU=harbour',
  enabled: 'true',
};

async function logIn() {
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email: organisation.admin.email, password });
  return visitor;
}

/** Leaves out the places where a page lets an address break. */
function joinAddresses(text: string): string {
  return text.replaceAll('<wbr />', '');
}

describe('an administrator', () => {
  it('sets the provider up in the console, and never sees its secret again', async () => {
    const visitor = await logIn();
    const page = await visitor.open('/app/sso?by=openid');
    expect(joinAddresses(page.html)).toContain(organisation.redirect_uri);
    const wrong = await visitor.send(page, 'openid', { ...setUp, issuer: 'http://127.0.0.1:9/' });
    expect([wrong.status, wrong.html.includes('id="openid-issuer-error"')]).toEqual([422, true]);
    expect(wrong.html).not.toContain(setUp.client_secret);
    const missing = await visitor.send(page, 'openid', { ...setUp, auditor_values: '' });
    expect([missing.status, missing.html.includes('id="openid-auditor_values-error"')]).toEqual([422, true]);
    const saved = await visitor.send(page, 'openid', setUp);
    expect(saved.address).toBe('/app/sso?notice=ssoSaved');
    expect(joinAddresses(saved.html)).toContain(provider.issuer);
    const again = await visitor.open('/app/sso');
    expect(again.html).not.toContain(setUp.client_secret);
    expect(again.html).toContain('CN=auditors,OU=harbour');
    const kept = await visitor.send(again, 'openid', { ...setUp, client_secret: '', enabled: 'true' });
    expect(kept.address).toBe('/app/sso?notice=ssoSaved');
    const { stored } = await app.sql.one(
      sql<{
        stored: string;
      }>`select encode(client_secret, 'escape') as stored from openid_configurations where org_id = ${organisation.org_id}`,
    );
    expect(stored).not.toContain(setUp.client_secret);
  });
});

describe('a provider that does not answer', () => {
  it('leads to a page that says so', async () => {
    const silent = await createOpenidOrganisation(app);
    // Of two organisations with one domain, either might be asked for its login.
    await configureOpenid(app, silent, { issuer: provider.issuer, email_domains: ['silent.example'] });
    await app.sql.run(
      sql`update openid_configurations set issuer = 'http://127.0.0.1:9' where org_id = ${silent.org_id}`,
    );
    const { statusCode, body } = await app.server.inject({
      url: `/api/v1/auth/sso/${silent.org_id}/login`,
      headers: { accept: 'text/html' },
    });
    expect([statusCode, body.includes('The login of your organisation does not answer.')]).toEqual([
      503,
      true,
    ]);
    expect(body).toContain('href="/sign-in"');
  });
});

describe.runIf(canBrowse)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    cleanUpAfterFile(() => browser.close());
  });

  it.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('a person types their address, logs in at the provider, and comes back, %s', async (_, scripts) => {
    const context = await browser.newContext({ javaScriptEnabled: scripts });
    const page = await context.newPage();
    await page.goto(`${url}/app/account/devices`);
    await page.getByLabel('Email address').fill(`ada@${openid_domain}`);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('heading', { name: 'Your organisation logs you in' }).waitFor();
    if (!scripts) await page.locator('main a.button').click();
    await page.getByRole('button', { name: 'I am ada' }).click();
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
    expect(page.url()).toBe(`${url}/app/account/devices`);
    await page.goto(`${url}/app/account`);
    await page.getByText(`ada@${openid_domain}`).waitFor();
    const names = (await context.cookies(url)).map(({ name }) => name);
    expect(names).toContain('tessera-session');
    await context.close();
  });
});
