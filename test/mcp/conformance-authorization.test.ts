import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import {
  createBrowser,
  decide,
  registerClient,
  returnToClient,
  startInteraction,
} from '#test/modules/oauth.ts';
import { findFreePort } from '#test/free-port.ts';

const suite = path.join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
);

/** Does what the suite asks a person to do: opens the address, logs in, allows the tools, and returns to the suite. */
async function allowInBrowser(app: TestApp, address: string): Promise<void> {
  const member = await app.registerMember();
  const browser = createBrowser();
  const uid = await startInteraction(app, browser, address);
  const { body } = await decide(app, { token: member.token, uid });
  const parameters = await returnToClient(app, browser, body.continue_url);
  const callback = new URL(address).searchParams.get('redirect_uri')!;
  await fetch(`${callback}?${parameters.toString()}`);
}

/** Runs the test suite of the protocol's authors against the authorization server. */
function runSuite(
  app: TestApp,
  options: readonly string[],
): Promise<{ readonly status: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [suite, 'authorization', ...options]);
  let output = '';
  let isAsked = false;
  const read = (chunk: Buffer) => {
    output += chunk.toString();
    const address = /^https?:\/\/\S+\/oauth\/authorize\?\S+$/m.exec(output)?.[0];
    if (address === undefined || isAsked) return;
    isAsked = true;
    allowInBrowser(app, address).catch((error: unknown) => {
      output += String(error);
      child.kill();
    });
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, output })));
}

test('the authorization server passes the suite', async () => {
  const [port, callbackPort] = [await findFreePort(), await findFreePort()];
  const url = `http://localhost:${port}`;
  const app = await startApp({ TESSERA_PUBLIC_URL: url, TESSERA_PORT: String(port) });
  await app.server.listen({ port, host: '127.0.0.1' });
  const client_id = await registerClient(app, {
    redirect_uris: [`http://127.0.0.1:${callbackPort}/callback`],
  });
  const { status, output } = await runSuite(app, [
    '--url',
    url,
    '--client-id',
    client_id,
    '--port',
    String(callbackPort),
    '--resource',
    `${url}/mcp`,
  ]);
  expect({ status, output: status === 0 ? '' : output.slice(-6_000) }).toEqual({ status: 0, output: '' });
  for (const scenario of ['authorization-server-metadata-endpoint', 'authorization-code-grant'])
    expect(output).toMatch(new RegExp(`✓ .*${scenario}`));
});
