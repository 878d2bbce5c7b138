import { once } from 'node:events';
import { expect, test } from 'vitest';
import { findFreePorts, prepareDataDir, runProgram, runTessera } from '../process/run-tessera.ts';

const requests = 4_000;
const at_once = 50;

test('a reader of standard output that stalls delays no request and no stop', async () => {
  const ports = await findFreePorts();
  const service = runTessera(['serve'], { TESSERA_DATA_DIR: await prepareDataDir(), ...ports });
  await service.ready;
  service.process.stdout!.pause();
  const url = `http://127.0.0.1:${ports.TESSERA_PORT}/health`;
  const statuses: number[] = [];
  const send = async (): Promise<void> => {
    for (let sent = 0; sent < requests / at_once; sent++) {
      const response = await fetch(url, { signal: AbortSignal.timeout(120_000) });
      await response.arrayBuffer();
      statuses.push(response.status);
    }
  };
  await Promise.all(Array.from({ length: at_once }, send));
  expect(statuses).toEqual(Array(requests).fill(200));
  service.process.kill('SIGTERM');
  // Without a limit of its own, the stop would wait for the reader for ever.
  await once(service.process, 'exit');
  expect([service.process.exitCode, service.process.signalCode]).toEqual([0, null]);
});

const line_characters = 1_000;
const written = 40_000;

test('lines that nobody reads are dropped above a limit, counted, and reported once the reader is back', async () => {
  const script = `
    const { openLog } = await import('./src/platform/telemetry/log.ts');
    const { countDroppedLines } = await import('./src/platform/telemetry/standard-output.ts');
    const log = openLog({ level: 'info' });
    const text = 'x'.repeat(${line_characters});
    for (let line = 0; line < ${written}; line++) {
      log.info(text);
      if (line % 100 === 0) await new Promise(setImmediate);
    }
    process.stderr.write(JSON.stringify({ dropped: countDroppedLines(), bytes: process.memoryUsage().rss }));
    const end = () => { log.warn('the last line'); process.stdin.destroy(); };
    // Until the waiting lines are read, the last line could be dropped too.
    process.stdin.resume().once('data', () => {
      if (process.stdout.writableLength === 0) end();
      else process.stdout.once('drain', end);
    });
  `;
  const logging = runProgram(process.execPath, ['--input-type=module', '--eval', script], {}, 'pipe');
  logging.process.stdout!.pause();
  await expect.poll(() => logging.readErrors()).toContain('}');
  const { dropped, bytes } = JSON.parse(logging.readErrors()) as Record<string, number>;
  expect(dropped).toBeGreaterThan(written / 2);
  expect(bytes).toBeLessThan(300e6);
  logging.process.stdout!.resume();
  await expect.poll(() => logging.readOutput().length).toBeGreaterThan(1_000_000);
  logging.process.stdin!.write('\n');
  expect(await logging.exited).toBe(0);
  const lines = logging
    .readOutput()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const reported = lines.reduce((sum, { dropped_lines }) => sum + Number(dropped_lines ?? 0), 0);
  const arrived = lines.filter(({ msg }) => String(msg).startsWith('xxx')).length;
  // The lines that were still gathered at the count may have been dropped after it.
  expect(reported).toBeGreaterThanOrEqual(dropped!);
  expect(arrived + reported).toBe(written);
  expect(lines.at(-1)).toMatchObject({ msg: 'the last line' });
});
