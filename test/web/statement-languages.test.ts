import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnTranslation } from '#test/modules/own-translation.ts';
import type { TestApp } from '../harness.ts';
import { password } from '../users.ts';
import { listFaults } from './axe.ts';
import { expectNoOverflow } from './expect-no-overflow.ts';
import { canBrowse } from './open-browser.ts';
import { startBrowsedApp } from './start-browsed-app.ts';

/** The width of the window without scripts. */
const narrow = 320;

describe.runIf(canBrowse)('the language of the statements in a browser', () => {
  let app: TestApp;
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    ({ app, url, browser } = await startBrowsedApp({ TESSERA_VOLUNTEERS: 'on' }));
    await useOwnTranslation(app.platform);
    await app.drainQueue();
  });

  const looks: readonly (readonly [string, BrowserContextOptions])[] = [
    ['a phone', { viewport: { width: 390, height: 844 } }],
    [
      'a narrow phone without scripts',
      { viewport: { width: narrow, height: 640 }, javaScriptEnabled: false },
    ],
    ['a desktop', { viewport: { width: 1440, height: 900 } }],
  ];

  it.each(looks)(
    'is that of the browser on the page of volunteers, and can be changed, on %s',
    async (_, look) => {
      const page = await open('/science', look, 'de-AT');
      const language = page.getByLabel('Language of the statements');
      expect(await language.inputValue()).toBe('de');
      expect(await language.locator('option').allInnerTexts()).toEqual(['English', 'Deutsch']);
      await expectGoodPage(page);
      await page.getByRole('button', { name: 'I agree: begin' }).click();
      await page.getByText('1 of 50', { exact: true }).waitFor();
      await expectStatement(page, 'de');

      const other = await open('/science', look, 'de');
      await other.getByLabel('Language of the statements').selectOption('en');
      await other.getByRole('button', { name: 'I agree: begin' }).click();
      await other.getByText('1 of 50', { exact: true }).waitFor();
      await expectStatement(other, 'en');
    },
  );

  it.each(looks)('of a first mirror can be changed until the first answer, on %s', async (_, look) => {
    const page = await open('/first-mirror', look, 'en');
    await expectStatement(page, 'en');
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.locator('h1[lang=de]').waitFor();
    await expectStatement(page, 'de');
    await answer(page);
    await page.getByText('2 of at most 15').waitFor();
    await expectStatement(page, 'de');
    expect(await page.getByRole('link', { name: 'English' }).count()).toBe(0);
    const german = await open('/first-mirror', look, 'de-CH');
    await expectStatement(german, 'de');
  });

  it.each(looks)('of the assessment can be changed until the first answer, on %s', async (_, look) => {
    const page = await open('/sign-in', look, 'de');
    const { email } = await app.registerMember({ name: 'Ada Lind' });
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Hello, Ada Lind' }).waitFor();
    await page.goto(`${url}/app/assessment`);
    await page.getByText('I agree, let us begin').click();
    await page.locator('h1[lang=de]').waitFor();
    await expectStatement(page, 'de');
    await page.getByLabel('Language of the statements').selectOption('en');
    await page.getByRole('button', { name: 'Change the language' }).click();
    await page.locator('h1[lang=en]').waitFor();
    await expectStatement(page, 'en');
    await answer(page);
    await page.getByText(/^1 of about/).waitFor();
    await expectStatement(page, 'en');
    expect(await page.getByLabel('Language of the statements').count()).toBe(0);
  });

  async function open(path: string, look: BrowserContextOptions, locale: string): Promise<Page> {
    const context = await browser.newContext({ ...look, locale });
    const page = await context.newPage();
    await page.goto(`${url}${path}`);
    return page;
  }
});

/** Checks that the statement and all its options are in one language, and marked as such for those who hear the page. */
async function expectStatement(page: Page, language: 'en' | 'de'): Promise<void> {
  const heading = page.locator('h1');
  expect(await heading.getAttribute('lang')).toBe(language);
  expect((await heading.innerText()).startsWith('DE ')).toBe(language === 'de');
  const words = page.locator(`.answers [lang=${language}]`);
  expect(await words.count()).toBe(await page.locator('.answers button').count());
  expect((await words.allInnerTexts())[0]).toBe(language === 'de' ? 'Gar nicht' : 'Strongly disagree');
  await expectGoodPage(page);
}

/** The check of accessibility is a script that waits, which a page without scripts never ends. */
async function expectGoodPage(page: Page): Promise<void> {
  await expectNoOverflow(page);
  const hasScripts = page.viewportSize()!.width > narrow;
  expect(hasScripts ? await listFaults(page) : []).toEqual([]);
}

function answer(page: Page): Promise<void> {
  return page.locator('.answers button').nth(1).click();
}
