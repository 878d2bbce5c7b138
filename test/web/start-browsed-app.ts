import type { Browser } from 'playwright-core';
import { findFreePort } from '#test/free-port.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import { startApp, type TestApp } from '../harness.ts';
import { openBrowser } from './open-browser.ts';

/** A service that listens at `url`, and a browser to visit it. Both are closed after the test file. */
export async function startBrowsedApp(environment: Readonly<Record<string, string>> = {}): Promise<{
  readonly app: TestApp;
  readonly url: string;
  readonly browser: Browser;
}> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const app = await startApp({
    TESSERA_PUBLIC_URL: url,
    TESSERA_PORT: String(port),
    ...environment,
  });
  await app.server.listen({ port, host: '127.0.0.1' });
  const browser = await openBrowser();
  cleanUpAfterFile(() => browser.close());
  return { app, url, browser };
}
