import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '#test/free-port.ts';
import { pageRows } from '../../src/tables/pages.ts';
import { listedPages } from '../../src/web/serving/search-engines.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import { startApp, type TestApp } from '../harness.ts';
import { addAxe, listFaults } from './axe.ts';
import { expectNoOverflow } from './expect-no-overflow.ts';
import { canBrowse, openBrowser } from './open-browser.ts';
import { listMachineWords } from './list-machine-words.ts';
import { createPersonas, type Personas } from './personas.ts';
import { pageVisits, type Persona } from './visits.ts';

const first_load_bytes_max = 60 * 1024;

const otherLooks = [
  ['light', 390],
  ['dark', 1280],
] as const;

it('every page has a visit of these tests and of the screenshots, and every visit a page', () => {
  expect(Object.keys(pageVisits).toSorted()).toEqual(pageRows.map(({ path }) => path).toSorted());
  // A download shows nothing. The journeys follow its link.
  const unseen = Object.keys(pageVisits).filter((path) => pageVisits[path]!.length === 0);
  expect(unseen).toEqual([
    '/app/account/data/{task_id}',
    '/app/traits/pdf',
    '/app/income/reads/{read_id}/receipt',
    '/app/income/payouts/{payout_id}/receipt',
    '/app/credentials/{credential_id}/pdf',
    '/app/credentials/{credential_id}/badge/{format}',
    '/app/reports/matches',
    '/app/reports/bias',
    '/app/jobs/{job_id}/matches/{match_id}/report',
    '/app/jobs/{job_id}/posting',
    '/app/audit/head',
    '/app/reads/{read_id}/receipt',
    '/app/reads/balance/statement',
  ]);
});

describe.runIf(canBrowse)('every page in a browser', () => {
  let app: TestApp;
  let url: string;
  let personas: Personas;
  let browser: Browser;
  const pages = new Map<Persona, Page>();
  const statuses = new Map<string, number>();
  const looked = new Set<Persona>();

  beforeAll(async () => {
    const port = await findFreePort();
    url = `http://localhost:${port}`;
    app = await startApp({ TESSERA_PUBLIC_URL: url, TESSERA_PORT: String(port) });
    await app.server.listen({ port, host: '127.0.0.1' });
    [personas, browser] = await Promise.all([
      createPersonas(url, app.platform, () => app.drainQueue()),
      openBrowser(),
    ]);
    cleanUpAfterFile(() => browser.close());
  });

  /** The page of a persona, which goes from one address to the next: a new page for each takes a quarter of the time of all tests. */
  async function openPage(as: Persona): Promise<Page> {
    const known = pages.get(as);
    if (known) return known;
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const session = personas.sessions[as];
    if (session !== undefined) await context.addCookies([{ name: 'tessera-session', value: session, url }]);
    await addAxe(context);
    const page = await context.newPage();
    pages.set(as, page);
    return page;
  }

  const visits = Object.values(pageVisits).flat();

  it.each(visits.map((visit) => [visit.name, visit] as const))('%s', async (_, visit) => {
    const page = await openPage(visit.as);
    const seen = watchPage(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 860 });
    const address = visit.getAddress(personas.ids);
    const reply = await page.goto(`${url}${address}`);
    if (reply) statuses.set(`${visit.as} ${address}`, reply.status());
    expect([reply?.status(), new URL(page.url()).pathname.startsWith('/sign-in')]).toEqual([
      200,
      visit.name.startsWith('log-in'),
    ]);
    // Another persona may have changed what the reasons of a match depend on. They are then written again.
    if ((await page.locator('body[data-refresh-seconds]').count()) > 0) {
      await app.drainQueue();
      await page.reload();
    }
    if (visit.press !== undefined) await page.getByRole('button', { name: visit.press }).click();
    for (const [scheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 860 });
      await expectNoOverflow(page);
      expect(await page.evaluate(countCutNavigations)).toBe(0);
      expect(await page.evaluate(countNavigationLines)).toBeLessThanOrEqual(1);
      expect(await listFaults(page)).toEqual([]);
    }
    expect(await listMachineWords(page)).toEqual([]);
    // Such a sentence would be wider than a phone as soon as its words, which depend on the person, are long.
    expect(await page.evaluate(listUnbreakableLinks)).toEqual([]);
    // The other two looks differ from these only in colours and in the room for words, so one page of each persona shows their faults.
    for (const [scheme, width] of looked.has(visit.as) ? [] : otherLooks) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 860 });
      expect(await listFaults(page, ['color-contrast', 'target-size'])).toEqual([]);
    }
    looked.add(visit.as);
    expect([...seen.hosts]).toEqual([new URL(url).host]);
    // The browser notes the status of a form that is shown again with what is wrong in it.
    expect(seen.errors.filter((error) => !(visit.press && error.includes('status of 422')))).toEqual([]);
    expect(await listDeadLinks(page, visit.as)).toEqual([]);
  });

  it.each([
    ['is allowed', 'matched', 'Allow what is ticked', 200],
    ['is denied', 'matched', 'Deny', 200],
    ['is over', 'matched', undefined, 404],
    ['asks for an unknown client', 'stranger', undefined, 400],
  ] as const)('the page after the request of an agent %s', async (what, as, press, status) => {
    const page = await openPage(as);
    // The page leads back to the agent by itself. A reply without content leaves it where it is.
    await page.route('https://agent.example/**', (route) => route.fulfill({ status: 204 }));
    const address = {
      'is over': '/oauth/interaction/none',
      'asks for an unknown client': '/oauth/authorize?client_id=nobody&response_type=code',
    }[what as string];
    const reply = await page.goto(`${url}${address ?? personas.ids.authorization}`);
    expect(reply?.status()).toBe(status);
    if (press !== undefined) {
      const button = page.getByRole('button', { name: press });
      await button.click();
      // The page before has the same link.
      await button.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'agent.example' }).waitFor();
    }
    for (const width of [390, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 860 });
        await expectNoOverflow(page);
        expect(await listFaults(page)).toEqual([]);
      }
    await page.unrouteAll();
  });

  it('transfers at most 50 KB with the first load of the login, and of the login for an agent', async () => {
    const request = `/oauth/interaction/${'x'.repeat(43)}`;
    const logins = ['/sign-in', `/sign-in?continue=${encodeURIComponent(request)}`];
    // The first page of an agent's request, which leads to the login.
    for (const address of [...logins, personas.ids.authorization]) {
      const { bytes, shift } = await measureFirstLoad(address, undefined);
      expect(bytes).toBeGreaterThan(25_000);
      expect(bytes).toBeLessThanOrEqual(50 * 1024);
      expect(shift).toBe(0);
    }
  });

  it('transfers at most 60 KB with the first load, fonts included, and nothing moves afterwards', async () => {
    const credential = `/app/credentials/${personas.ids.credential}`;
    const own = [
      '/app/assessment',
      '/app/account',
      '/app/traits',
      '/app/archetype',
      '/app/preferences/profile',
      credential,
    ];
    for (const address of ['/register', ...listedPages, ...own]) {
      const session = address.startsWith('/app') ? personas.sessions.matched : undefined;
      const { bytes, shift } = await measureFirstLoad(address, session);
      expect(bytes).toBeGreaterThan(30_000);
      expect(bytes).toBeLessThanOrEqual(first_load_bytes_max);
      expect(shift).toBe(0);
    }
  });

  /** Opens a page in a browser that has stored nothing. @returns the bytes that it transferred, and how far its parts moved. */
  async function measureFirstLoad(address: string, session: string | undefined) {
    const context = await browser.newContext();
    if (session !== undefined) await context.addCookies([{ name: 'tessera-session', value: session, url }]);
    const page = await context.newPage();
    await page.goto(`${url}${address}`, { waitUntil: 'networkidle' });
    const bytes = await page.evaluate(
      `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .reduce((sum, { transferSize }) => sum + transferSize, 0)`,
    );
    const shift = await page.evaluate(readShift);
    await context.close();
    return { bytes, shift };
  }

  async function listDeadLinks(page: Page, as: Persona): Promise<readonly string[]> {
    const links = (await page.evaluate(
      "[...document.querySelectorAll('a[href]')].map(({ href }) => href)",
    )) as string[];
    const dead: string[] = [];
    for (const link of new Set(links)) {
      const { origin, pathname, search, hash, protocol } = new URL(link);
      // The form of a network, filled in.
      if (origin === 'https://www.linkedin.com') continue;
      // Links that open a wallet or a mail program.
      if (protocol === 'openid-credential-offer:' || protocol === 'mailto:') continue;
      if (hash !== '' && pathname === new URL(page.url()).pathname) {
        if ((await page.locator(hash).count()) === 0) dead.push(link);
        continue;
      }
      const status = await readStatus(as, `${pathname}${search}`);
      if (origin !== url || status >= 400) dead.push(`${link} ${status}`);
    }
    return dead;
  }

  /** The status of a page for a persona, asked for once: most links are on many pages. */
  async function readStatus(as: Persona, address: string): Promise<number> {
    const known = statuses.get(`${as} ${address}`);
    if (known !== undefined) return known;
    const session = personas.sessions[as];
    const { statusCode } = await app.server.inject({
      url: address,
      headers: { accept: 'text/html' },
      ...(session !== undefined && { cookies: { 'tessera-session': session } }),
    });
    statuses.set(`${as} ${address}`, statusCode);
    return statusCode;
  }
});

/** The links in running text that may not break, with more than three words. */
const listUnbreakableLinks = `[...document.querySelectorAll('main p a, main li a, main dd a')]
  .filter((link) => !link.closest('nav') && getComputedStyle(link).whiteSpace.startsWith('nowrap') && link.textContent.trim().split(/\\s+/).length > 3)
  .map((link) => link.textContent.trim())`;

/** How many navigations have an entry that is out of sight. */
const countCutNavigations =
  "[...document.querySelectorAll('nav ul')].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length";

/** In how many lines the entries of the navigation are, with what waits behind them. */
const countNavigationLines = `new Set([...document.querySelectorAll('.top > nav:not(.switch) a')]
  .map((entry) => Math.round(entry.getBoundingClientRect().top))).size`;

/** The sum of all layout shifts without input so far (Web Vitals: CLS). */
const readShift = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value; }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 100);
})`;

type Seen = { readonly hosts: ReadonlySet<string>; readonly errors: readonly string[] };

/** Collects the hosts that a page asks, and its errors, among them every breach of its policy. */
function watchPage(page: Page): Seen {
  const hosts = new Set<string>();
  const errors: string[] = [];
  // Only the watcher of the current address.
  page.removeAllListeners();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return { hosts, errors };
}
