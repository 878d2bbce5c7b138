import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

/** The browser of the package is built for this platform only. */
export const canBrowse = process.platform === 'linux' && process.arch === 'x64';

/** Switches of the package for small machines that would turn off what is tested, or end the browser with its first page. */
const refusedSwitches = new Set(['--disable-web-security', '--single-process', '--no-zygote']);

/** Starts the packaged Chromium. */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter((each) => !refusedSwitches.has(each)),
  });
}
