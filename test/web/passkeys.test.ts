import type { Browser, BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { findFreePort } from '#test/free-port.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import { startApp, type TestApp } from '../harness.ts';
import { addTestPasskey } from '../modules/passkeys.ts';
import { enableMfa } from '../modules/auth.ts';
import { buildAuthorizeUrl, createChallenge, registerClient } from '../modules/oauth.ts';
import { createEmail, password } from '../users.ts';
import { canBrowse, openBrowser } from './open-browser.ts';
import { createVisitor } from './visitor.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  app = await startApp({ TESSERA_PUBLIC_URL: url, TESSERA_PORT: String(port) });
  await app.server.listen({ port, host: '127.0.0.1' });
});

async function logIn(email: string) {
  const visitor = createVisitor(app);
  const page = await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return { visitor, page };
}

describe('the page of passkeys', () => {
  it('renames and removes a passkey, and keeps what was refused in the form', async () => {
    const member = await app.registerMember();
    const { id } = await addTestPasskey(app, member, { name: 'Phone' });
    const { visitor } = await logIn(member.email);
    const page = await visitor.open('/app/account/passkeys');
    expect(page.html).toContain('Not used yet');
    const refused = await visitor.send(page, 'rename', { passkey_id: id, name: '  ' });
    expect([refused.status, refused.html.includes(`id="rename-${id}-error"`)]).toEqual([422, true]);
    const renamed = await visitor.send(refused, 'rename', { passkey_id: id, name: 'Work phone' });
    expect(renamed.address).toBe('/app/account/passkeys?notice=passkeyRenamed');
    expect(renamed.html).toContain('Remove: Work phone');
    const removed = await visitor.send(renamed, 'remove', { passkey_id: id });
    expect(removed.html).toContain('You have no passkey yet.');
  });

  it('every form of one view acts, even after going back, and a second click acts once', async () => {
    const member = await app.registerMember();
    const [first, second] = [
      await addTestPasskey(app, member, { name: 'Phone' }),
      await addTestPasskey(app, member, { name: 'Laptop' }),
    ];
    const { visitor } = await logIn(member.email);
    const view = await visitor.open('/app/account/passkeys');
    const rename = (name: string) => visitor.send(view, 'rename', { passkey_id: first.id, name });
    await Promise.all([rename('Old phone'), rename('Old phone')]);
    const removed = await visitor.send(view, 'remove', { passkey_id: second.id });
    expect(removed.address).toBe('/app/account/passkeys?notice=passkeyRemoved');
    expect((await rename('New phone')).html).toContain('Remove: New phone');
    const { html } = await visitor.open('/app/account/passkeys');
    expect([html.includes('New phone'), html.includes('Laptop')]).toEqual([true, false]);
    // After another form, the same once more is no second click: the visitor has changed their mind.
    expect((await rename('Old phone')).address).toBe('/app/account/passkeys?notice=passkeyRenamed');
    expect((await visitor.open('/app/account/passkeys')).html).toContain('Remove: Old phone');
  });

  it('refuses what no browser has answered, and another user’s passkey', async () => {
    const [member, other] = [await app.registerMember(), await app.registerMember()];
    const { id } = await addTestPasskey(app, other);
    const { visitor } = await logIn(member.email);
    const page = await visitor.open('/app/account/passkeys');
    for (const passkey of ['', 'text', '{}', 'null', '[]']) {
      const refused = await visitor.send(page, 'add', { name: 'Phone', passkey });
      expect([refused.status, refused.html.includes('role="alert"')]).toEqual([422, true]);
    }
    const foreign = { action: 'remove', passkey_id: id };
    expect((await visitor.send(page, 'add', foreign)).status).toBe(404);
    const stranger = createVisitor(app);
    const signIn = await stranger.open('/sign-in');
    expect((await stranger.send(signIn, 'passkey', { passkey: '{"id":1}' })).status).toBe(422);
  });

  it('asks for a confirmation before anything, and says why an account of single sign-on has no passkeys', async () => {
    const user = await app.registerOrgAdmin();
    const { visitor } = await logIn(user.email);
    await app.sql.run(sql`update users set password_hash = '!' where id = ${user.user_id}`);
    expect((await visitor.open('/app/account/passkeys')).html).toContain(
      'You log in through your organisation',
    );
    app.clock.advance(901_000);
    expect((await visitor.open('/app/account/passkeys')).address).toMatch(/^\/app\/account\/confirm/);
  });
});

describe.runIf(canBrowse)('in a browser with an authenticator', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    cleanUpAfterFile(() => browser.close());
  });

  /** A browser whose device verifies its user at once, or not at all. */
  async function openDevice(is_verified = true) {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
    page.on('pageerror', (error) => errors.push(error.message));
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: is_verified,
        automaticPresenceSimulation: true,
      },
    });
    const setPresence = (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    return { context, page, errors, setPresence };
  }

  async function openAs(context: BrowserContext, email: string): Promise<void> {
    const { visitor } = await logIn(email);
    const value = visitor.cookies.get('tessera-session')!;
    await context.addCookies([{ name: 'tessera-session', value, url }]);
  }

  async function addPasskey(page: Page, name: string): Promise<void> {
    await page.goto(`${url}/app/account/passkeys`);
    await page.getByLabel('Name', { exact: true }).last().fill(name);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Your passkey is ready.').waitFor();
  }

  it('a passkey is added, named, used to log in without a code and to confirm, and removed', async () => {
    const member = await app.registerMember({ email: createEmail(), name: 'Ada Lind' });
    await enableMfa(app, member);
    const { context, page, errors, setPresence } = await openDevice();
    const { body } = await app.request('POST', '/auth/login', { body: { email: member.email, password } });
    expect(body.mfa_required).toBe(true);
    await context.addCookies([{ name: 'tessera-session', value: await readSession(member.user_id), url }]);
    await addPasskey(page, 'My phone');
    await page.getByText('My phone').first().waitFor();

    // Waiting for the visitor, the field of the address offers the passkey, and the button still works.
    await context.clearCookies();
    await setPresence(false);
    await page.goto(`${url}/sign-in?continue=${encodeURIComponent('/app/account/devices')}`);
    await setPresence(true);
    await page
      .getByRole('button', { name: 'Log in with a passkey' })
      .click()
      .catch(() => undefined);
    await page.waitForURL(`${url}/app/account/devices`);

    app.clock.advance(901_000);
    await page.goto(`${url}/app/account/passkeys`);
    await page.waitForURL(/\/app\/account\/confirm/);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${url}/app/account/passkeys`);
    await page.getByRole('button', { name: 'Remove: My phone' }).click();
    await page.getByText('You have no passkey yet.').waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('a device that cannot verify its user, and one that has a passkey already, say so in words', async () => {
    const member = await app.registerMember();
    const { context, page } = await openDevice(false);
    await openAs(context, member.email);
    await page.goto(`${url}/app/account/passkeys`);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('No passkey was used.').waitFor();
    await context.close();
    const second = await openDevice();
    await openAs(second.context, member.email);
    await addPasskey(second.page, 'Phone');
    await second.page.getByRole('button', { name: 'Add a passkey' }).click();
    await second.page.getByText('already has a passkey for your account').waitFor();
    expect(second.errors).toEqual([]);
    await second.context.close();
  });

  it('a stranger whom an agent asks hears while typing whether a handle is free, and creates the account with a passkey', async () => {
    await app.request('POST', '/auth/handles', { body: { handle: 'grace', password } });
    const { context, page, errors } = await openDevice();
    await page.goto(buildAuthorizeUrl(app, await registerClient(app), createChallenge()));
    const request = page.url();
    expect(request).toContain('/oauth/interaction/');
    await page.getByRole('link', { name: 'Choose a handle' }).click();
    for (const [typed, said] of [
      ['support', '@support is kept for the service.'],
      ['GRACE', '@grace is taken, or looks like one that is.'],
      ['grace--', 'with a letter or digit at both ends.'],
      ['@Grace-Hopper', '@grace-hopper is available.'],
    ] as const) {
      await page.getByLabel('Handle', { exact: true }).fill(typed);
      await page.getByRole('status').filter({ hasText: said }).waitFor();
    }
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Create it with a passkey' }).click();
    await page.waitForURL((address) => address.href.startsWith(request));
    await page.getByRole('heading', { name: /^What may/ }).waitFor();
    await page.getByText('@grace-hopper').waitFor();
    const created = await app.sql.list(sql`
      select handle, password_hash, (select count(*)::int from passkeys where user_id = users.id) as passkeys
      from users where handle = 'grace-hopper'`);
    expect(created).toMatchObject([{ handle: 'grace-hopper', passkeys: 1 }]);
    await page.getByRole('button', { name: 'Deny' }).click();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('without scripts, nothing asks for a passkey', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${url}/sign-in`);
    expect(await page.getByRole('button', { name: 'Log in with a passkey' }).isVisible()).toBe(false);
    await context.close();
  });
});

/** Opens a session for the console, as the completed login of a member with MFA does. */
async function readSession(user_id: string): Promise<string> {
  const { createHash, randomBytes } = await import('node:crypto');
  const token = randomBytes(32).toString('base64url');
  const { id } = await app.sql.one(sql<{ id: string }>`
    select id from sessions where user_id = ${user_id} order by created_at desc limit 1`);
  const now = app.clock.now();
  await app.sql.run(sql`update sessions set authenticated_at = ${now} where id = ${id}`);
  await app.sql.run(sql`
    insert into refresh_tokens (token_hash, session_id, issued_at, expires_at)
    values (${createHash('sha256').update(token).digest()}, ${id}, ${now}, ${new Date(now.getTime() + 86_400_000)})`);
  return token;
}
