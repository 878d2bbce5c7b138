import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { pageRows } from '../src/tables/pages.ts';
import { startService } from '../src/app/service.ts';
import { readConfig } from '#platform/config.ts';
import { openBrowser } from '#test/web/open-browser.ts';
import { createPersonas } from '#test/web/personas.ts';
import { pageVisits, type PageVisit } from '#test/web/visits.ts';
import { findFreePort } from '#test/free-port.ts';

const [folder = 'screenshots', only = ''] = process.argv.slice(2);
const looks = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const;

/** Writes a picture of every page of the console, light and dark, on a desktop and on a phone: `npm run screenshots -- [folder] [names, with commas]`. */
async function takeScreenshots(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tessera-screenshots-'));
  const port = await findFreePort();
  const config = readConfig({
    TESSERA_DATA_DIR: dataDir,
    TESSERA_PORT: String(port),
    TESSERA_INTERNAL_PORT: String(await findFreePort()),
    TESSERA_RATE_LIMITS: 'off',
    TESSERA_VOLUNTEERS: 'on',
    TESSERA_TERMS_URL: 'https://tessera.example/terms',
    TESSERA_PRIVACY_URL: 'https://tessera.example/privacy',
  });
  const service = await startService(config, { quiet: true });
  const browser = await openBrowser();
  try {
    const { sessions, ids } = await createPersonas(service.url, service.app.platform);
    await mkdir(folder, { recursive: true });
    const visits = pageRows.flatMap(({ path: at }) => pageVisits[at] ?? []);
    for (const [scheme, width] of looks) {
      for (const visit of visits.filter(({ name }) => only.split(',').some((part) => name.includes(part)))) {
        const context = await openContext(browser, service.url, sessions[visit.as], { scheme, width });
        await savePicture(context, `${service.url}${visit.getAddress(ids)}`, visit, `${scheme}-${width}`);
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
  { scheme, width }: { readonly scheme: 'light' | 'dark'; readonly width: number },
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
    colorScheme: scheme,
    reducedMotion: 'reduce',
    viewport: { width, height: width > 600 ? 860 : 800 },
    deviceScaleFactor: width > 600 ? 1 : 2,
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
