import { chmod, chown, cp, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchScript, makeScratchDirectory, query } from './testing.ts';
import { chooseAccount, toSpawnOptions } from './account.ts';
import { findBinaries, prepareBinaries } from './binaries.ts';
import { startEmbeddedPostgres } from './index.ts';
import { startPostgres } from './supervisor.ts';

const isRoot = process.getuid!() === 0;

let scratch: Awaited<ReturnType<typeof makeScratchDirectory>>;
let closed: string;

beforeAll(async () => {
  scratch = await makeScratchDirectory();
  closed = join(scratch.path, 'closed');
  await mkdir(closed, { mode: 0o700 });
});

afterAll(() => scratch.remove());

/** Creates a package as npm installs it without install scripts, in a directory that only this account can enter. */
async function makeClosedPackage(): Promise<string> {
  const packageDir = join(closed, 'package');
  await cp(findBinaries('example', scratch.path).packageDir, packageDir, {
    recursive: true,
    verbatimSymlinks: true,
  });
  const links: { target: string }[] = JSON.parse(
    await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'),
  );
  await Promise.all(links.map(({ target }) => rm(join(packageDir, target), { force: true })));
  return packageDir;
}

test.skipIf(!isRoot)(
  '[needs root] a service of root runs with a package and a data directory that other accounts cannot enter',
  async () => {
    const source = { packageDir: await makeClosedPackage(), copyPlaces: [join(scratch.path, 'copies')] };
    const account = await chooseAccount(join(closed, 'absent'));
    const prepared = await Promise.all([prepareBinaries(source, account), prepareBinaries(source, account)]);
    expect(prepared[0].postgres).toContain(join(scratch.path, 'copies'));
    expect(prepared[1]).toEqual(prepared[0]);

    const dataDir = join(closed, 'data');
    const first = await startPostgres(source, { name: 'example', dataDir });
    await query(first.connection, 'CREATE TABLE stored AS SELECT 7 AS number');
    await first.stop();
    const second = await startPostgres(source, { name: 'example', dataDir });
    expect(await query(second.connection, 'SELECT number FROM stored')).toEqual([{ number: 7 }]);
    await second.stop();
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(account.uid);
  },
);

test.skipIf(!isRoot)('[needs root] replaces a copy that does not run', async () => {
  const copyPlaces = [join(scratch.path, 'copies')];
  const source = { packageDir: join(closed, 'package'), copyPlaces };
  const account = await chooseAccount(join(closed, 'absent'));
  const { postgres } = await prepareBinaries(source, account);
  await rm(postgres);
  await Promise.all(Array.from({ length: 4 }, () => prepareBinaries(source, account)));
  expect((await stat(postgres)).size).toBeGreaterThan(1_000_000);
});

test.skipIf(!isRoot)(
  '[needs root] does not copy the programs into a directory where others may write',
  async () => {
    const open = join(scratch.path, 'open');
    await mkdir(open);
    await chmod(open, 0o777);
    const source = { packageDir: join(closed, 'package'), copyPlaces: [open] };
    const preparing = prepareBinaries(source, await chooseAccount(join(closed, 'absent')));
    await expect(preparing).rejects.toThrow('other accounts could replace the programs there');
  },
);

test.skipIf(!isRoot)(
  '[needs root] root continues the database of an ordinary user with the account of that user',
  async () => {
    const { uid, gid } = { gid: 65_534, uid: 65_534, ...toSpawnOptions(await chooseAccount('/absent')) };
    const home = join(scratch.path, 'ordinary');
    await mkdir(home);
    await chown(home, uid, gid);
    const dataDir = join(home, 'data');
    const service = launchScript(
      `const server = await startEmbeddedPostgres({ name: 'example', dataDir });
     await query(server.connection, 'CREATE TABLE stored AS SELECT 7 AS number');
     await server.stop();
     console.log('stopped as ' + process.getuid());`,
      dataDir,
      { uid, gid },
    );
    expect(await service.readLine()).toBe(`stopped as ${uid}`);
    const server = await startEmbeddedPostgres({ name: 'example', dataDir });
    expect(await query(server.connection, 'SELECT number FROM stored')).toEqual([{ number: 7 }]);
    expect((await stat(server.connection.host)).uid).toBe(uid);
    await server.stop();
  },
);
