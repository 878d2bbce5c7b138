import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { pageRows } from '../src/tables/pages.ts';
import { startService } from '../src/app/service.ts';
import { readConfig } from '#platform/config.ts';
import { openBrowser } from '#test/web/open-browser.ts';
import { createPersonas, personaSettings } from '#test/web/personas.ts';
import { pageVisits, type PageVisit } from '#test/web/visits.ts';
import { findFreePort } from '#test/free-port.ts';

const [folder = 'screenshots', only = '', lookNames = 'light-1280,dark-1280,light-390,dark-390'] =
  process.argv.slice(2);

/** How a page is looked at. */
type Look = Pick<BrowserContextOptions, 'colorScheme' | 'forcedColors' | 'deviceScaleFactor'> & {
  readonly width: number;
  readonly height: number;
};

const phone = { width: 390, height: 800, deviceScaleFactor: 2 };
const narrow = { width: 320, height: 640, deviceScaleFactor: 1 };
const desktop = { width: 1280, height: 860, deviceScaleFactor: 1 };
/** A desktop at 200 %: half as many CSS pixels, each of them four. */
const zoomed = { width: 640, height: 430, deviceScaleFactor: 2 };

const allLooks: Readonly<Record<string, Look>> = {
  'light-1280': { ...desktop, colorScheme: 'light' },
  'dark-1280': { ...desktop, colorScheme: 'dark' },
  'light-390': { ...phone, colorScheme: 'light' },
  'dark-390': { ...phone, colorScheme: 'dark' },
  'light-320': { ...narrow, colorScheme: 'light' },
  'dark-320': { ...narrow, colorScheme: 'dark' },
  'light-zoomed': { ...zoomed, colorScheme: 'light' },
  'dark-zoomed': { ...zoomed, colorScheme: 'dark' },
  'light-forced': { ...phone, colorScheme: 'light', forcedColors: 'active' },
  'dark-forced': { ...phone, colorScheme: 'dark', forcedColors: 'active' },
};

/**
 * Writes a picture of every page of the console, by default light and dark, on a desktop and on a phone:
 * `npm run screenshots -- [folder] [names, with commas] [looks, with commas]`.
 */
async function takeScreenshots(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tessera-screenshots-'));
  const port = await findFreePort();
  const config = readConfig({
    TESSERA_DATA_DIR: dataDir,
    TESSERA_PORT: String(port),
    TESSERA_INTERNAL_PORT: String(await findFreePort()),
    ...personaSettings,
    TESSERA_PRIVACY_URL: 'https://tessera.example/privacy',
  });
  const service = await startService(config, { quiet: true });
  const browser = await openBrowser();
  try {
    const { sessions, ids } = await createPersonas(service.url, service.app.platform);
    await mkdir(folder, { recursive: true });
    const visits = pageRows.flatMap(({ path: at }) => pageVisits[at] ?? []);
    for (const lookName of lookNames.split(',')) {
      const look = allLooks[lookName];
      if (look === undefined) throw new Error(`unknown look: ${lookName}`);
      for (const visit of visits.filter(({ name }) => only.split(',').some((part) => name.includes(part)))) {
        const context = await openContext(browser, service.url, sessions[visit.as], look);
        await savePicture(context, `${service.url}${visit.getAddress(ids)}`, visit, lookName);
        await context.close();
      }
    }
  } finally {
    await browser.close();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function openContext(
  browser: Browser,
  url: string,
  session: string | undefined,
  { width, height, ...look }: Look,
): Promise<BrowserContext> {
  const cookies =
    session === undefined
      ? []
      : [
          {
            name: 'tessera-session',
            value: session,
            domain: new URL(url).hostname,
            path: '/',
            expires: -1,
            httpOnly: true,
            secure: false,
            sameSite: 'Lax' as const,
          },
        ];
  return browser.newContext({
    ...look,
    reducedMotion: 'reduce',
    viewport: { width, height },
    storageState: { cookies, origins: [] },
  });
}

/** Chromium draws no larger surface: below it, a picture of a longer page would repeat the upper part. */
const picture_pixels_max = 8_000;

async function savePicture(
  context: BrowserContext,
  url: string,
  { name, press }: PageVisit,
  look: string,
): Promise<void> {
  const page = await context.newPage();
  await page.goto(url);
  if (press !== undefined) await page.getByRole('button', { name: press }).click();
  await page.evaluate('document.fonts.ready');
  const file = path.join(folder, `${name}-${look}.png`);
  const pixels = await page.evaluate<number>('document.documentElement.scrollHeight * devicePixelRatio');
  await page.screenshot({
    path: file,
    fullPage: true,
    scale: pixels > picture_pixels_max ? 'css' : 'device',
  });
  console.log(file);
}

await takeScreenshots();
