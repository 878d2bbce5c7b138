import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cleanUpAfterFile } from '#test/clean-up.ts';
import { computeNeeds, describeShortage, limitConnections, readMeans } from './means.ts';

const mib = 1_048_576;

/** A root with the files of a system. */
async function writeRoot(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'tessera-means-'));
  cleanUpAfterFile(() => rm(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return root;
}

const meminfo = 'MemTotal:       24000000 kB\nMemFree: 1 kB\n';

test.each<readonly [string, Readonly<Record<string, string>>, number | undefined]>([
  ['the machine', { 'proc/meminfo': meminfo }, 24_000_000 * 1_024],
  [
    'a control group of version 2',
    {
      'proc/meminfo': meminfo,
      'proc/self/cgroup': '0::/system.slice/tessera.service\n',
      'sys/fs/cgroup/system.slice/tessera.service/memory.max': `${400 * mib}\n`,
    },
    400 * mib,
  ],
  [
    'a group above, where its own has no limit',
    {
      'proc/meminfo': meminfo,
      'proc/self/cgroup': '0::/system.slice/tessera.service\n',
      'sys/fs/cgroup/system.slice/tessera.service/memory.max': 'max\n',
      'sys/fs/cgroup/system.slice/memory.max': `${500 * mib}\n`,
    },
    500 * mib,
  ],
  [
    'a control group of version 1',
    {
      'proc/meminfo': meminfo,
      'proc/self/cgroup': '9:name=systemd:/\n4:cpu,memory:/docker/abc\n0::/\n',
      'sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes': `${300 * mib}\n`,
    },
    300 * mib,
  ],
  [
    'a container, which sees its own group as the root',
    {
      'proc/meminfo': meminfo,
      'proc/self/cgroup': '0::/../../docker/abc\n',
      'sys/fs/cgroup/memory.max': `${200 * mib}\n`,
    },
    200 * mib,
  ],
  [
    'version 1 without a limit',
    {
      'proc/meminfo': meminfo,
      'proc/self/cgroup': '4:memory:/\n',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
    },
    24_000_000 * 1_024,
  ],
  ['a system that says nothing', {}, undefined],
])('the memory is that of %s', async (_, files, bytes) => {
  expect((await readMeans(tmpdir(), await writeRoot(files))).memory_bytes).toBe(bytes);
});

test('the descriptors are those of the process', async () => {
  const root = await writeRoot({
    'proc/self/limits':
      'Limit                     Soft Limit           Hard Limit           Units\nMax open files            256                  4096                 files\n',
  });
  expect(await readMeans(tmpdir(), root)).toMatchObject({ descriptors: 256, memory_bytes: undefined });
});

const config = { http: { connections_max: 5_000 }, databasePoolSize: 10, databaseUrl: undefined };
const plenty = { memory_bytes: 4_096 * mib, descriptors: 65_536, disk_bytes: 50_000 * mib };

test('what is missing is named in one line, and what is unknown is not', () => {
  const needs = computeNeeds(config, 0);
  expect(describeShortage(needs, plenty)).toBeUndefined();
  expect(
    describeShortage(needs, { memory_bytes: undefined, descriptors: undefined, disk_bytes: undefined }),
  ).toBeUndefined();
  const line = describeShortage(needs, { ...plenty, memory_bytes: 400 * mib, descriptors: 256 });
  expect(line).toMatch(
    /^memory: 400 MiB instead of \d+ MiB; file descriptors \(ulimit -n\): 256 instead of \d+$/,
  );
});

test.each([
  [65_536, 5_000],
  [1_024, 714],
  [256, 128],
  [12, 10],
  [undefined, 5_000],
])('with %s descriptors, the public port accepts %d connections', (descriptors, connections) => {
  expect(limitConnections(config, { descriptors })).toBe(connections);
});

test.each([
  ['the embedded database', undefined, 0, 768],
  ['the embedded database', undefined, 100_000, 1_549],
  ['a database elsewhere', 'postgres://elsewhere', 0, 512],
  ['a database elsewhere', 'postgres://elsewhere', 100_000, 1_000],
])('with %s (%s) and %d members, a service needs %d MiB', (_, databaseUrl, members, memory_mib) => {
  const { memory_bytes } = computeNeeds({ ...config, databaseUrl }, members);
  expect(Math.floor(memory_bytes / mib)).toBe(memory_mib);
});
