import { createServer } from 'node:net';
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

/** Finds a port that is free now: pages accept forms only at the address that the service calls its own. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
