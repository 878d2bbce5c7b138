import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '#test/free-port.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import { startApp, type TestApp } from '../harness.ts';
import { computeTotpCode, findWrongCode } from '../modules/auth.ts';
import type { TestMember } from '../users.ts';
import { canBrowse, openBrowser } from './open-browser.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  app = await startApp({ TESSERA_PUBLIC_URL: url, TESSERA_PORT: String(port) });
  await app.server.listen({ port, host: '127.0.0.1' });
});

async function readMailedLink(to: string, page: string): Promise<string> {
  await app.drainQueue();
  const texts = (await app.readMails()).filter((mail) => mail.to === to).map(({ text }) => text);
  const link = new RegExp(`^http\\S+${page}\\?token=\\S+$`, 'm').exec(texts.join('\n'))?.[0];
  if (link === undefined) throw new Error(`no link to ${page} was emailed to ${to}`);
  return link;
}

/** Types into the field that has the focus, and sends the form. */
async function enterText(page: Page, text: string): Promise<void> {
  await page.locator('input:focus').waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Presses Tab until the element with this name has the focus. */
async function moveTo(page: Page, role: 'button' | 'link' | 'textbox', name: string): Promise<void> {
  const target = page.getByRole(role, { name });
  for (let presses = 0; presses < 40; presses++) {
    if ((await target.and(page.locator(':focus')).count()) === 1) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}`);
}

/** Logs in by keyboard: the field of the address has the focus. */
async function logIn(page: Page, { email, password }: TestMember, at = '/sign-in'): Promise<void> {
  await page.goto(`${url}${at}`);
  await page.locator('input[name=email]:focus').waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await enterText(page, password);
}

describe.runIf(canBrowse)('in a browser, by keyboard alone', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    cleanUpAfterFile(() => browser.close());
  });

  async function openPage(options: { readonly javaScriptEnabled?: boolean } = {}) {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    return { context, page, errors };
  }

  it('MFA is turned on with the QR code or the key below it, and asks for a code at the next login', async () => {
    const member = await app.registerMember();
    const { context, page, errors } = await openPage();
    await logIn(page, member, '/sign-in?continue=%2Fapp%2Faccount%2Fmfa');
    await page.getByRole('heading', { name: 'Turn on MFA' }).waitFor();
    await moveTo(page, 'button', 'Begin');
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    const secret = await page.locator('main code').first().innerText();
    await moveTo(page, 'textbox', 'Then enter the six digits');
    await enterText(page, findWrongCode(secret, app.clock));
    await page.getByText('The code is wrong or was already used.').first().waitFor();
    // The field of the refused code has the focus, and the QR code is still there.
    expect(await page.evaluate("document.activeElement.getAttribute('aria-invalid')")).toBe('true');
    expect(await page.locator('main code').first().innerText()).toBe(secret);
    await enterText(page, computeTotpCode(secret, app.clock));
    await page.getByRole('heading', { name: 'Store these ten codes' }).waitFor();
    const codes = await page.locator('.codes code').allInnerTexts();
    expect(new Set(codes).size).toBe(10);
    await moveTo(page, 'link', 'I have stored them');
    await page.keyboard.press('Enter');
    await page.getByText('On: every login needs a code from your phone.').waitFor();
    await context.clearCookies();

    app.clock.advance(60_000);
    await logIn(page, member, '/sign-in?continue=%2Fapp%2Faccount%2Fdevices');
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await enterText(page, findWrongCode(secret, app.clock));
    await page.getByText('The code is wrong or was already used.').first().waitFor();
    await enterText(page, computeTotpCode(secret, app.clock));
    await page.waitForURL(`${url}/app/account/devices`);
    await context.clearCookies();

    await logIn(page, member);
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await moveTo(page, 'textbox', 'Recovery code');
    await enterText(page, codes[3]!);
    await page.waitForURL(`${url}/app`);
    await context.clearCookies();

    await logIn(page, member);
    await moveTo(page, 'textbox', 'Recovery code');
    await enterText(page, codes[3]!);
    await page.getByText('The code is wrong or was already used.').first().waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it.each([
    ['with scripts', true],
    ['without scripts', false],
  ])(
    'an account is deleted after its owner has read what follows, and kept with the link in the email, %s',
    async (_, javaScriptEnabled) => {
      const member = await app.registerMember();
      const { context, page, errors } = await openPage({ javaScriptEnabled });
      await logIn(page, member, '/sign-in?continue=%2Fapp%2Faccount%2Fdelete');
      await page.getByText('You are logged out everywhere at once').waitFor();
      await moveTo(page, 'button', 'Delete my account');
      await page.keyboard.press('Enter');
      await page.getByText('Your account is closed and will be erased.').waitFor();
      await logIn(page, member);
      await page.getByText('This account is marked for deletion.').waitFor();
      await page.goto(await readMailedLink(member.email, '/cancel-deletion'));
      await moveTo(page, 'button', 'Keep my account');
      await page.keyboard.press('Enter');
      await page.getByText('Your account stays. Log in as before.').waitFor();
      await logIn(page, member);
      await page.waitForURL(`${url}/app`);
      expect(errors).toEqual([]);
      await context.close();
    },
  );
});
