import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildResponseXml, domain, signXml } from '@tessera/saml/testing';
import { findFreePort } from '#test/free-port.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import { startApp, type TestApp } from '../harness.ts';
import { createSsoOrganisation, type SsoOrganisation } from '../modules/sso.ts';
import { canBrowse, openBrowser } from './open-browser.ts';
import { createVisitor, unescapeHtml } from './visitor.ts';

let app: TestApp;
let url: string;
let idpUrl: string;
let organisation: SsoOrganisation;
beforeAll(async () => {
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  app = await startApp({
    TESSERA_PUBLIC_URL: url,
    TESSERA_PORT: String(port),
    TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  await app.server.listen({ port, host: '127.0.0.1' });
  idpUrl = await startIdentityProvider(app);
  organisation = await createSsoOrganisation(app, { idp_sso_url: `${idpUrl}/login` });
});

/** An identity provider at another origin, where everybody is Ada: it answers a request with a page that posts the signed response. */
async function startIdentityProvider({ clock }: TestApp): Promise<string> {
  const server: Server = createServer((request, reply) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://idp');
    const encoded = searchParams.get('SAMLRequest');
    if (encoded === null) {
      reply.writeHead(204).end();
      return;
    }
    const saml = inflateRawSync(Buffer.from(encoded, 'base64')).toString();
    const [, id = ''] = / ID="([^"]+)"/.exec(saml) ?? [];
    const [, acs = ''] = / AssertionConsumerServiceURL="([^"]+)"/.exec(saml) ?? [];
    const sp = acs.replace(/\/acs$/, '/metadata');
    const xml = buildResponseXml({ sp, acs }, clock.now(), { in_response_to: id });
    const response = Buffer.from(signXml(xml, 'Assertion')).toString('base64');
    const state = searchParams.get('RelayState') ?? '';
    reply.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Identity provider</title>
      <form method="post" action="${acs}"><input type="hidden" name="SAMLResponse" value="${response}">
      <input type="hidden" name="RelayState" value="${state}"><button>I am Ada</button></form>`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleanUpAfterFile(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('an address without a password', () => {
  it('leads to the organisation that holds its domain, and back to the page that was asked for', async () => {
    const visitor = createVisitor(app);
    const page = await visitor.open('/sign-in?continue=%2Fapp%2Faccount');
    const found = await visitor.send(page, 'send', { email: `Ada@${domain}`, password: '' });
    expect(found.html).toContain(`Users of ${domain} log in with their organisation.`);
    const link = unescapeHtml(/class="button" href="([^"]+)"/.exec(found.html)![1]!);
    expect(link).toMatch(
      /^http:\/\/localhost:\d+\/api\/v1\/auth\/sso\/[\w-]{36}\/login\?relay_state=%2Fapp%2Faccount$/,
    );
    expect(unescapeHtml(found.html)).toContain(`data-refresh-to="${link}"`);
  });

  it('of another domain asks for the password, whether or not the address has an account', async () => {
    const { email } = await app.registerMember();
    for (const each of [email, 'nobody@nowhere.example']) {
      const visitor = createVisitor(app);
      const refused = await visitor.send(await visitor.open('/sign-in'), 'send', {
        email: each,
        password: '',
      });
      expect(refused.status).toBe(422);
      expect(refused.html).toContain(
        'id="send-password-error">Enter your password. This address has no login through an organisation.<',
      );
    }
  });
});

describe('a login that the organisation’s answer does not prove', () => {
  const post = (accept: string) =>
    app.server.inject({
      method: 'POST',
      url: `/api/v1/auth/sso/${organisation.org_id}/acs`,
      headers: { accept, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ SAMLResponse: Buffer.from('<a/>').toString('base64') }).toString(),
    });

  it('ends at a page that says what to do, and leaves the visitor logged out', async () => {
    const { statusCode, headers, body } = await post('text/html,*/*');
    expect([statusCode, headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(body).toContain('The login through your organisation did not work');
    expect(unescapeHtml(body)).toContain('The answer of your organisation’s login could not be read.');
    expect(body).toContain('href="/sign-in"');
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('is problem+json for programs', async () => {
    const { headers, body } = await post('*/*');
    expect(headers['content-type']).toContain('application/problem+json');
    expect(JSON.parse(body).code).toBe('sso_response_malformed');
  });

  it('ends at a page as well if the organisation has no such login', async () => {
    const { org_id } = await app.registerOrgAdmin();
    const headers = { accept: 'text/html' };
    const { statusCode, body } = await app.server.inject({
      url: `/api/v1/auth/sso/${org_id}/login`,
      headers,
    });
    expect(statusCode).toBe(404);
    expect(unescapeHtml(body)).toContain('This organisation has not set up a login of its own.');
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
  ])(
    'a person types their address, is known at the organisation, and comes back logged in, %s',
    async (_, scripts) => {
      const context = await browser.newContext({ javaScriptEnabled: scripts });
      const page = await context.newPage();
      await page.goto(`${url}/app/account/devices`);
      await page.getByLabel('Email address').fill(`ada@${domain}`);
      await page.getByLabel('Password').press('Enter');
      await page.getByRole('heading', { name: 'Your organisation logs you in' }).waitFor();
      if (!scripts) await page.locator('main a.button').click();
      await page.getByRole('button', { name: 'I am Ada' }).click();
      await page.getByRole('heading', { name: 'Devices' }).waitFor();
      expect(page.url()).toBe(`${url}/app/account/devices`);
      await page.goto(`${url}/app/account`);
      await page.getByText(`ada@${domain}`).waitFor();
      const cookies = (await context.cookies()).map(({ name, httpOnly }) => [name, httpOnly]);
      expect(cookies).toContainEqual(['tessera-session', true]);
      expect(cookies.map(([name]) => name)).not.toContain('refresh_token');
      await context.close();
    },
  );
});
