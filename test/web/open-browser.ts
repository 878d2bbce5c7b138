import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

/** The browser of the package is built for this platform only. */
export const canBrowse = process.platform === 'linux' && process.arch === 'x64';

/** Switches of the package for small machines that would turn off what is tested, or end the browser with its first page. */
const refusedSwitches = new Set(['--disable-web-security', '--single-process', '--no-zygote']);

/** A page is awaited for as long as a busy machine may need; the default is 30 seconds. */
const wait_ms = 120_000;

// Drawing in software what WebGL would draw takes a fifth of the processor time of a test, and nothing uses it.
chromium.setGraphicsMode = false;

/** Starts the packaged Chromium. */
export async function openBrowser(): Promise<Browser> {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter((each) => !refusedSwitches.has(each)),
    timeout: wait_ms,
  });
  browser.on('context', (context) => context.setDefaultTimeout(wait_ms));
  return browser;
}
