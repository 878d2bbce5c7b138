import type { Browser, BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { agreeWithEverything, answerMirror } from '#test/modules/first-mirror.ts';
import { startApp, type TestApp } from '../harness.ts';
import { createEmail, password } from '../users.ts';
import { listFaults } from './axe.ts';
import { canBrowse } from './open-browser.ts';
import { startBrowsedApp } from './start-browsed-app.ts';
import { createVisitor, readText } from './visitor.ts';

/** What somebody sees before the first insight, at most. */
const goal = { screens: 20, words: 700 };

describe.runIf(canBrowse)('a visitor in a browser', () => {
  let app: TestApp;
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    ({ app, url, browser } = await startBrowsedApp());
  });

  const kinds = [
    ['a phone with scripts', { viewport: { width: 390, height: 844 } }],
    ['a phone without scripts', { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }],
    ['a narrow dark phone', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
    ['a desktop with scripts', { viewport: { width: 1440, height: 900 } }],
    ['a desktop without scripts', { viewport: { width: 1440, height: 900 }, javaScriptEnabled: false }],
  ] as const;

  it.each(kinds)(
    'reads one thing that is clear within the goal, and keeps it, on %s',
    async (name, options) => {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(url);
      const seen = await answerAll(app, page);
      process.stdout.write(
        `first insight on ${name}: ${seen.screens} screens, 0 fields, ${seen.words} words\n`,
      );
      expect(seen.screens).toBeLessThanOrEqual(goal.screens);
      expect(seen.words).toBeLessThanOrEqual(goal.words);
      expect(await page.locator('h1').innerText()).toMatch(/: (much )?(more|less) than most people\.$/);
      await keepMirror(app, page);
      await context.close();
    },
  );

  it('loads no page between two statements if scripts run, and goes back', async () => {
    const page = await openMirror(browser, url);
    await page.evaluate('window.stays = true');
    const first = await page.locator('h1').innerText();
    await answer(page, 4);
    await page.getByText('2 of at most 15').waitFor();
    expect(await page.evaluate('window.stays')).toBe(true);
    await page.goBack();
    await page.getByText('1 of at most 15').waitFor();
    expect(await page.locator('h1').innerText()).toBe(first);
    await page.context().close();
  });

  it('loses nothing by a reload, and two tabs go their own ways', async () => {
    const page = await openMirror(browser, url);
    await answer(page, 4);
    await page.getByText('2 of at most 15').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await answer(page, 4);
    await page.getByText('3 of at most 15').waitFor();
    await page.reload();
    await page.getByText('3 of at most 15').waitFor();
    await answer(other, 0);
    await other.getByText('3 of at most 15').waitFor();
    expect(other.url()).not.toBe(page.url());
    await page.context().close();
  });

  it('has no faults of accessibility, at the start, in between and at the end', async () => {
    const page = await openMirror(browser, url);
    expect(await listFaults(page)).toEqual([]);
    await answer(page, 4);
    await page.getByText('2 of at most 15').waitFor();
    expect(await listFaults(page)).toEqual([]);
    const { mirror } = await answerMirror(app);
    await page.goto(`${url}/first-mirror?mirror=${mirror}`);
    expect(await listFaults(page)).toEqual([]);
    await page.goto(url);
    expect(await listFaults(page)).toEqual([]);
    await page.context().close();
  });
});

async function openMirror(browser: Browser, url: string): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`${url}/first-mirror`);
  return page;
}

function answer(page: Page, option: number): Promise<void> {
  return page.locator(`button[name=option][value="${option}"]`).click();
}

/** Answers the statements of a mirror. @returns the screens until its end, the end included, and the words that were visible on them. */
async function answerAll(app: TestApp, page: Page): Promise<{ screens: number; words: number }> {
  let [screens, words] = [0, 0];
  for (;;) {
    screens += 1;
    words += countWords(await page.locator('body').innerText());
    const sealed = page.locator('input[name=mirror]');
    if ((await sealed.count()) === 0) return { screens, words };
    const mirror = await sealed.inputValue();
    const { body } = await app.request('POST', '/first-mirror', { body: { mirror } });
    app.clock.advance(5_000);
    await answer(page, agreeWithEverything(body.next_item.item_id));
    const changed = `document.querySelector('input[name=mirror]')?.value !== ${JSON.stringify(mirror)} && document.querySelector('.mirror') !== null`;
    await page.waitForURL((address) => !address.search.includes('option='));
    await expect.poll(() => page.evaluate(changed)).toBe(true);
  }
}

function countWords(text: string): number {
  return text.match(/[\p{L}’-]+/gu)?.length ?? 0;
}

/** Asks for the link, opens it, agrees, and is in the assessment. */
async function keepMirror(app: TestApp, page: Page): Promise<void> {
  const email = createEmail();
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send me the link' }).click();
  await page.getByText('A link is on its way.').waitFor();
  await app.drainQueue();
  const mail = (await app.readMails()).findLast(({ to }) => to.includes(email));
  await page.goto(/http\S+keep-mirror\?token=[\w-]+/.exec(mail?.text ?? '')![0]);
  await page.getByRole('button', { name: 'I agree: keep my answers' }).click();
  await page.getByText('Your answers are kept.').waitFor();
  await page.getByText(/1[2-5] of about 50/).waitFor();
  await page.goto(new URL('/app', page.url()).href);
  expect(await page.locator('h1').innerText()).toBe('Hello');
}

describe('a visitor without scripts', () => {
  it('reads that the hour is over, and begins again', async () => {
    const app = await startApp();
    const visitor = createVisitor(app);
    const { mirror } = await answerMirror(app, 3);
    app.clock.advance(3_600_001);
    for (const address of [
      `/first-mirror?mirror=${mirror}`,
      `/first-mirror?mirror=${mirror}&option=1`,
      '/first-mirror?mirror=abc',
    ]) {
      const page = await visitor.open(address);
      expect([page.status, readText(page)]).toEqual([410, expect.stringContaining('Nothing was stored.')]);
      expect(page.html).toContain('href="/first-mirror"');
    }
  });

  it('whose address has an account reads so only behind the link of the email, and adds the answers after a login', async () => {
    const app = await startApp();
    const { email } = await app.registerMember();
    const visitor = createVisitor(app);
    const end = await answerMirror(app);
    const shown = await visitor.open(`/first-mirror?mirror=${end.mirror}`);
    const sent = await visitor.send(shown, 'keep', { email });
    const unknown = await visitor.send(shown, 'keep', { email: createEmail() });
    expect(readText(sent)).toBe(readText(unknown));
    await app.drainQueue();
    const mail = (await app.readMails()).findLast(({ to }) => to.includes(email));
    const address = /\/keep-mirror\?token=[\w-]+/.exec(mail?.text ?? '')![0];
    const refused = await visitor.send(await visitor.open(address), 'keep');
    expect([refused.status, readText(refused)]).toEqual([
      409,
      expect.stringContaining('This address has an account'),
    ]);
    const login = /href="(\/sign-in\?continue=[^"]+)"/.exec(refused.html)![1]!;
    const back = await visitor.send(await visitor.open(login), 'send', { email, password });
    expect(back.address).toBe(address);
    const kept = await visitor.send(back, 'add');
    expect(readText(kept)).toContain(`${end.answered} of about 50`);
    const again = await visitor.send(await visitor.open(address), 'add');
    expect(readText(again)).toContain('Your assessment has begun already');
  });

  it('who answers faster than anybody reads learns this, and nothing else', async () => {
    const app = await startApp();
    let { body } = await app.request('POST', '/first-mirror', { body: {} });
    while (body.next_item) {
      app.clock.advance(500);
      const option = agreeWithEverything(body.next_item.item_id);
      ({ body } = await app.request('POST', '/first-mirror', { body: { mirror: body.mirror, option } }));
    }
    const page = readText(await createVisitor(app).open(`/first-mirror?mirror=${body.mirror}`));
    expect(page).toContain('Nothing is clear yet');
    expect(page).toContain('Many statements were answered faster than most people read.');
    expect(page).not.toContain('than most people.');
  });
});
