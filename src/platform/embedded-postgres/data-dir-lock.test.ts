import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DataDirInUseError, lockDataDir } from './data-dir-lock.ts';
import { launchScript, makeScratchDirectory } from '#test/embedded-postgres.ts';

let scratch: Awaited<ReturnType<typeof makeScratchDirectory>>;

beforeAll(async () => {
  scratch = await makeScratchDirectory();
});

afterAll(() => scratch.remove());

test('of twenty processes that start at the same moment exactly one gets the directory, ten times over', async () => {
  const rounds = Array.from({ length: 10 }, (_, round) => join(scratch.path, `race-${round}`));
  await Promise.all(rounds.map((path) => mkdir(path)));
  const racers = Array.from({ length: 20 }, () =>
    launchScript(
      `console.log('here');
       process.stdin.once('data', async (start) => {
         const won = [];
         for (let round = 0; round < 10; round += 1) {
           while (Date.now() < Number(start) + round * 40);
           await lockDataDir(dataDir + '/race-' + round).then(() => won.push(round), (error) => {
             if (error.name !== 'DataDirInUse') throw error;
           });
         }
         console.log(JSON.stringify(won));
       });`,
      scratch.path,
    ),
  );
  await Promise.all(racers.map((racer) => racer.readLine()));
  const start = String(Date.now() + 100);
  for (const racer of racers) racer.process.stdin!.write(start);
  const won = await Promise.all(
    racers.map(async (racer): Promise<number[]> => JSON.parse(await racer.readLine())),
  );
  for (const racer of racers) racer.process.kill('SIGKILL');
  expect(won.flat().sort((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('of twenty takers in one process exactly one gets the directory', async () => {
  const takers = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(scratch.path)));
  const winners = takers.filter((taker) => taker.status === 'fulfilled');
  expect(winners).toHaveLength(1);
  await winners[0]!.value.release();
});

test('a released directory is free again, and releasing twice frees nobody else’s', async () => {
  const first = await lockDataDir(scratch.path);
  await first.release();
  const second = await lockDataDir(scratch.path);
  await first.release();
  await expect(lockDataDir(scratch.path)).rejects.toThrow(DataDirInUseError);
  await second.release();
});

test.skipIf(process.getuid!() !== 0)(
  '[needs root] a lock file that one may only read gives no lock',
  async () => {
    const dataDir = join(scratch.path, 'shared');
    await mkdir(dataDir);
    const lock = await lockDataDir(dataDir);
    await chown(dataDir, 65_534, 65_534);
    const script = `await lockDataDir(dataDir).then(() => console.log('taken'), (error) => console.log(error.code));`;
    const other = launchScript(script, dataDir, { uid: 65_534, gid: 65_534 });
    expect(await other.readLine()).toBe('EACCES');
    await lock.release();
  },
);

test('the refusal names the directory and the process that holds it, and kill -9 of that process frees it', async () => {
  const holder = launchScript(
    `await lockDataDir(dataDir); console.log('held'); setInterval(() => undefined, 1000);`,
    scratch.path,
  );
  await holder.readLine();
  const refusal = `${scratch.path} is in use by process ${holder.process.pid}`;
  await expect(lockDataDir(scratch.path)).rejects.toThrow(refusal);
  holder.process.kill('SIGKILL');
  await holder.exited;
  const lock = await lockDataDir(scratch.path);
  await lock.release();
});
