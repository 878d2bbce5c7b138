import { access, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { findFreePorts, prepareDataDir, runNpm, runTessera, type TesseraProcess } from './run-tessera.ts';

const clients = 6;
/** A quarter of the connections is for one network, so none of these requests waits for one on a busy machine. */
const connections = String(4 * clients);

type Stop = (service: TesseraProcess, signal: NodeJS.Signals) => void;

/** A request that writes. */
const body = JSON.stringify({
  observations: [{ trait: 'persistence', level: 'above', confidence: 'low' }],
  subject_agreed: true,
});

/** Opens a connection whose request lacks its last byte. @returns a function that sends it, and the reply. */
function beginRequest(port: number) {
  const socket = connect(port, '127.0.0.1');
  const reply = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
  socket.write(
    `POST /api/v1/identity/stubs HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, -1)}`,
  );
  return { complete: () => socket.write('}'), reply };
}

const stops: readonly (readonly [string, typeof runTessera, readonly string[], Stop])[] = [
  ['to the process', runTessera, ['serve'], ({ process: child }, signal) => void child.kill(signal)],
  [
    'to its group under npm, which forwards them',
    runNpm,
    ['start'],
    ({ process: child }, signal) => void process.kill(-child.pid!, signal),
  ],
];

test.each(stops)(
  'signals after the first one, %s, cut no request, and the stop is complete',
  async (_, run, words, stop) => {
    const ports = await findFreePorts();
    const dataDir = await prepareDataDir();
    const environment = {
      TESSERA_DATA_DIR: dataDir,
      TESSERA_RATE_LIMITS: 'off',
      TESSERA_DATABASE_POOL_SIZE: connections,
      ...ports,
    };
    const service = run(words, environment);
    await service.ready;
    const readMetrics = async () =>
      (await fetch(`http://127.0.0.1:${ports.TESSERA_INTERNAL_PORT}/metrics`)).text();
    const loading = runTessera(['cli', 'demo', 'load', '--members', '50', '--jobs', '1'], environment);
    expect([await loading.exited, loading.readErrors()]).toEqual([0, expect.any(String)]);
    await expect.poll(readMetrics).toMatch(/^tessera_match_index_members 50$/m);
    const { host: socketDirectory } = (await findRunningPostgres(dataDir))!;
    const requests = Array.from({ length: clients }, () => beginRequest(Number(ports.TESSERA_PORT)));
    await expect.poll(readMetrics).toMatch(new RegExp(`^tessera_http_requests_in_flight ${clients}$`, 'm'));
    const { mtimeMs: saved_ms } = await stat(path.join(dataDir, 'match-index'));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGINT', 'SIGINT'] as const) stop(service, signal);
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${ports.TESSERA_PORT}/health`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    stop(service, 'SIGTERM');
    for (const { complete } of requests) complete();
    const statuses = (await Promise.all(requests.map(({ reply }) => reply))).map(
      (text) => text.split(' ')[1],
    );
    expect(statuses).toEqual(Array.from({ length: clients }, () => '201'));
    expect(await service.exited).toBe(0);
    await expect(access(socketDirectory)).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await stat(path.join(dataDir, 'match-index'))).mtimeMs).toBeGreaterThan(saved_ms);
  },
);
