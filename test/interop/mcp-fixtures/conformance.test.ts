import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { revisions, type Revision } from '#test/mcp/agents.ts';
import { interopAdditions } from '../additions.ts';

const root = path.join(import.meta.dirname, '../../..');

let url: string;
beforeAll(async () => {
  const app = await startApp({}, undefined, interopAdditions);
  await app.server.listen({ port: 0, host: '127.0.0.1' });
  url = `http://localhost:${(app.server.server.address() as AddressInfo).port}/mcp/public`;
});

/** Runs the test suite of the protocol's authors against the endpoint: all scenarios that the revision requires of a server. */
function runSuite(revision: Revision) {
  const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const expected = path.join(import.meta.dirname, 'expected-failures.yaml');
  const options = [
    '--url',
    url,
    '--requirements',
    revision,
    ...(revision === '2025-11-25' ? ['--expected-failures', expected] : []),
  ];
  return new Promise<{ readonly status: number; readonly output: string }>((resolve) => {
    execFile(
      process.execPath,
      [suite, 'server', ...options],
      { timeout: 120_000, maxBuffer: 50_000_000 },
      (error, stdout, stderr) =>
        resolve({ status: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` }),
    );
  });
}

test.each(revisions)(
  'the endpoint passes the suite of revision %s',
  { timeout: 150_000 },
  async (revision) => {
    const { status, output } = await runSuite(revision);
    const passed = /(\d+) passed/.exec(output.slice(output.lastIndexOf('Total:')))?.[1];
    expect({ status, output: status === 0 ? '' : output.slice(-6_000) }).toEqual({ status: 0, output: '' });
    expect(Number(passed)).toBeGreaterThan(50);
  },
);
