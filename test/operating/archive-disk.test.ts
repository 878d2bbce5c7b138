import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { listBackups } from '#platform/backups/archive.ts';
import { canMount, openSmallDisk } from '../faults/small-disk.ts';
import { findFreePorts, prepareDataDir, type TesseraProcess } from '../process/run-tessera.ts';

async function register(service: TesseraProcess, name: string): Promise<number> {
  const url = (await service.ready).replace('localhost', '127.0.0.1');
  const reply = await fetch(`${url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `${name}@example.org`,
      password: 'Correct-Horse-7-Battery',
      name: 'Ada',
      role: 'member',
    }),
  });
  return reply.status;
}

async function awaitLine(service: TesseraProcess, line: string): Promise<void> {
  while (!service.readOutput().includes(line)) await pause(200);
}

describe.skipIf(!canMount)(
  'with little space (skipped where this account may not mount a file system)',
  () => {
    test('a full storage of the archive is one line in the log, and the service goes on', async () => {
      const disk = await openSmallDisk('60m');
      const environment = {
        TESSERA_DATA_DIR: await prepareDataDir(),
        TESSERA_ARCHIVE_DIR: join(disk.directory, 'archive'),
        TESSERA_RATE_LIMITS: 'off',
        ...(await findFreePorts()),
      };
      const service = disk.run(['serve'], environment);
      expect(await register(service, 'first')).toBe(201);
      const archive = join(disk.outside, 'archive');
      const readEnd = async () => (await listBackups(archive)).at(-1)?.end.to;
      while ((await readEnd()) === undefined) await pause(200);
      disk.fill();
      await awaitLine(service, 'the archive does not follow the database');
      expect(service.readOutput()).toMatch(/"fault":"ENOSPC: [^"\n]+"/);
      expect(await register(service, 'second')).toBe(201);
      disk.free();
      await awaitLine(service, 'the archive follows the database again');
      expect(await register(service, 'third')).toBe(201);
      service.process.kill('SIGTERM');
      expect(await service.exited).toBe(0);
    }, 300_000);

    test('a drill without space says so in one line, and the service goes on', async () => {
      const disk = await openSmallDisk('250m');
      const environment = {
        TESSERA_DATA_DIR: join(disk.directory, 'data'),
        TESSERA_ARCHIVE_DIR: join(await prepareDataDir(), 'archive'),
        TESSERA_RATE_LIMITS: 'off',
        ...(await findFreePorts()),
      };
      const service = disk.run(['serve'], environment);
      expect(await register(service, 'first')).toBe(201);
      const drill = disk.run(['cli', 'drill'], environment);
      expect(await drill.exited).toBe(1);
      expect(drill.readErrors()).toMatch(
        /^tessera: the archive was not proven: \S+ has too little space to restore beside the database: \d+ MB are missing\n$/,
      );
      expect(await register(service, 'second')).toBe(201);
      service.process.kill('SIGTERM');
      expect(await service.exited).toBe(0);
    }, 300_000);
  },
);
