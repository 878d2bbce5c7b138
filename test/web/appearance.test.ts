import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '#test/free-port.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import { startApp, type TestApp } from '../harness.ts';
import { canBrowse, openBrowser } from './open-browser.ts';
import { createVisitor } from './visitor.ts';

const path = '/app/account/appearance';

let app: TestApp;
let url: string;
beforeAll(async () => {
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  app = await startApp({ TESSERA_PUBLIC_URL: url, TESSERA_PORT: String(port) });
  await app.server.listen({ port, host: '127.0.0.1' });
});

async function logIn() {
  const { email, password } = await app.registerMember();
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return visitor;
}

describe('the appearance', () => {
  it('that a visitor chooses is on every page from then on, after the log-out too', async () => {
    const visitor = await logIn();
    const page = await visitor.open(path);
    expect(page.html).toMatch(/<html\s+lang="en"\s*>/);
    const saved = await visitor.send(page, 'send', { theme: 'dark', locale: 'en-US' });
    expect(saved.address).toBe(`${path}?notice=appearanceSaved`);
    expect(saved.html).toMatch(/<html\s+lang="en"\s+data-theme="dark"\s*>/);
    expect(saved.html).toContain('<meta name="color-scheme" content="dark" />');
    expect(saved.html).toContain('March 2, 2026 at 9:00');
    await visitor.send(await visitor.open('/app/account'), 'log_out');
    for (const address of ['/', '/sign-in', '/no-such-page'])
      expect((await visitor.open(address)).html).toContain('data-theme="dark"');
    const other = await logIn();
    expect((await other.open('/app')).html).not.toContain('data-theme');
  });

  it('follows the languages of the browser until the visitor chooses', async () => {
    const visitor = await logIn();
    const readNumber = async (language: string) =>
      /<dt>A salary<\/dt>\s*<dd>([^<]+)</.exec(
        (await visitor.open(path, { 'accept-language': language })).html,
      )?.[1];
    expect(await readNumber('en-AU')).toBe('$92,000');
    expect(await readNumber('en-US')).toBe('A$92,000');
    expect(await readNumber('de-DE')).toBe('A$92,000');
    await visitor.send(await visitor.open(path), 'send', { theme: 'system', locale: 'en-AU' });
    expect(await readNumber('en-US')).toBe('$92,000');
  });

  it('is the default for values that nobody offers', async () => {
    const visitor = await logIn();
    const hostile = { theme: '"><script>', locale: 'xx-XX' };
    const saved = await visitor.send(await visitor.open(path), 'send', hostile);
    expect([saved.status, visitor.cookies.get('tessera-look')]).toEqual([200, 'system.auto']);
    visitor.cookies.set('tessera-look', 'dark%22%3E.en-AU');
    expect((await visitor.open(path)).html).not.toContain('data-theme');
  });
});

describe.runIf(canBrowse)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    cleanUpAfterFile(() => browser.close());
  });

  it.each([
    ['light', 'dark', 'rgb(22, 20, 16)'],
    ['dark', 'light', 'rgb(250, 247, 241)'],
    ['dark', 'system', 'rgb(22, 20, 16)'],
  ] as const)('a %s device shows the theme %s without a script', async (colorScheme, theme, background) => {
    const context = await browser.newContext({ colorScheme, javaScriptEnabled: false });
    await context.addCookies([{ name: 'tessera-look', value: `${theme}.auto`, url }]);
    const page = await context.newPage();
    await page.goto(url);
    const body = page.locator('body');
    expect(await body.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(background);
    await context.close();
  });
});
