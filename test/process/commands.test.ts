import { expect, test } from 'vitest';
import { findFreePorts, prepareDataDir, runNpm, runTessera } from './run-tessera.ts';

const limit_ms = 120_000;

/** Runs an operator command as operators do. @returns its exit code and its output. */
async function runCli(environment: Readonly<Record<string, string>>, ...words: readonly string[]) {
  const { exited, readOutput, readErrors } = runNpm(['run', 'cli', '--', ...words], environment);
  return { code: await exited, output: readOutput(), errors: readErrors() };
}

// A timer or a server that is left open would keep the process of a command running for ever.
test(
  'operator commands end by themselves, without the service and beside it, even if they fail',
  async () => {
    const environment = { TESSERA_DATA_DIR: await prepareDataDir(), ...(await findFreePorts()) };
    expect(await runCli(environment, 'keys', 'list')).toMatchObject({ code: 0, errors: '' });
    expect(await runCli(environment, 'user', 'suspend', 'nobody@example.org')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^[^\n]+\n$/),
    });
    const service = runTessera(['serve'], environment);
    await service.ready;
    expect(await runCli(environment, 'matches', 'recompute', '--json')).toMatchObject({ code: 0 });
    expect(await runCli(environment, 'demo', 'load', '--members', 'x')).toMatchObject({ code: 1 });
    service.process.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  },
  limit_ms,
);

test(
  'a demonstration that fails stops its service',
  async () => {
    const environment = {
      TESSERA_DATA_DIR: await prepareDataDir(),
      ...(await findFreePorts()),
      // Nothing answers at the address that its clients use.
      TESSERA_PUBLIC_URL: 'http://127.0.0.1:1',
    };
    const demo = runTessera(['demo'], environment);
    expect(await demo.exited).toBe(1);
    expect(demo.readOutput()).not.toContain('tessera ready');
    expect(demo.readErrors()).toContain('fetch failed');
  },
  limit_ms,
);
