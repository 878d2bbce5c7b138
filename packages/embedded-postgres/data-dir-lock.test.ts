import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchScript, makeScratchDirectory } from './testing.ts';
import { DataDirInUseError, lockDataDir } from './data-dir-lock.ts';

let scratch: Awaited<ReturnType<typeof makeScratchDirectory>>;

beforeAll(async () => {
  scratch = await makeScratchDirectory();
});

afterAll(() => scratch.remove());

test('exactly one of twenty processes that start at the same time gets the lock, in each of ten rounds', async () => {
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

test('exactly one of twenty calls in one process gets the lock', async () => {
  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(scratch.path)));
  const winners = attempts.filter((attempt) => attempt.status === 'fulfilled');
  expect(winners).toHaveLength(1);
  await winners[0]!.value.release();
});

test('a released directory can be locked again, and a second release does not release another lock', async () => {
  const first = await lockDataDir(scratch.path);
  await first.release();
  const second = await lockDataDir(scratch.path);
  await first.release();
  await expect(lockDataDir(scratch.path)).rejects.toThrow(DataDirInUseError);
  await second.release();
});

test.skipIf(process.getuid!() !== 0)(
  '[needs root] a lock file that is read-only for the account cannot be locked',
  async () => {
    const dataDir = join(scratch.path, 'shared');
    await mkdir(dataDir);
    const lock = await lockDataDir(dataDir);
    await chown(dataDir, 65_534, 65_534);
    const script = `await lockDataDir(dataDir).then(() => console.log('locked'), (error) => console.log(error.code));`;
    const other = launchScript(script, dataDir, { uid: 65_534, gid: 65_534 });
    expect(await other.readLine()).toBe('EACCES');
    await lock.release();
  },
);

test('the error names the directory and its owner, and kill -9 of the owner releases the directory', async () => {
  const holder = launchScript(
    `await lockDataDir(dataDir); console.log('held'); setInterval(() => undefined, 1000);`,
    scratch.path,
  );
  await holder.readLine();
  const message = `${scratch.path} is in use by process ${holder.process.pid}`;
  await expect(lockDataDir(scratch.path)).rejects.toThrow(message);
  holder.process.kill('SIGKILL');
  await holder.exited;
  const lock = await lockDataDir(scratch.path);
  await lock.release();
});
