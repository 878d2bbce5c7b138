import { readFile, statfs } from 'node:fs/promises';
import path from 'node:path';

/** What a process may use, as far as the system says: undefined where it says nothing. */
export type Means = {
  /** The least of the memory of the machine and of the limits of the control groups. */
  readonly memory_bytes: number | undefined;
  readonly descriptors: number | undefined;
  readonly disk_bytes: number | undefined;
};

/** What a service needs. */
export type Needs = Pick<Means, 'memory_bytes' | 'descriptors' | 'disk_bytes'> & {
  readonly [Key in keyof Means]-?: number;
};

const mib = 1_048_576;

/** The memory of a service, alone and with its embedded database: about twice of what docs/operating.md measured. */
const memory_min_bytes = {
  alone: { service: 512 * mib, each_member: 5_120 },
  withDatabase: { service: 768 * mib, each_member: 8_192 },
} as const;
const disk_min_bytes = 1_000 * mib;

/**
 * The descriptors besides those of the public port: the pool and six more connections of the database, 200 of the internal port, outbound
 * connections, threads, and files.
 */
const other_descriptors = 300;

type Configured = {
  readonly http: { readonly connections_max: number };
  readonly databasePoolSize: number;
  readonly databaseUrl: string | undefined;
};

/** Computes what a service with a configuration and so many members needs at least. */
export function computeNeeds(config: Configured, members: number): Needs {
  const { service, each_member } = memory_min_bytes[config.databaseUrl ? 'alone' : 'withDatabase'];
  return {
    memory_bytes: service + members * each_member,
    descriptors: config.http.connections_max + reserveDescriptors(config),
    disk_bytes: disk_min_bytes,
  };
}

/** How many descriptors clients of the public port must leave. */
function reserveDescriptors({ databasePoolSize }: Pick<Configured, 'databasePoolSize'>): number {
  return databasePoolSize + other_descriptors;
}

const connections_min = 10;

/**
 * How many connections the public port may accept: those of the configuration, but no more than the descriptors allow. What accepts, the
 * database and the internal port would otherwise fail for want of a descriptor, and a supervisor would end a healthy process.
 */
export function limitConnections(
  config: Configured,
  { descriptors = Infinity }: Pick<Means, 'descriptors'>,
): number {
  const reserved = Math.min(reserveDescriptors(config), Math.floor(descriptors / 2));
  return Math.max(connections_min, Math.min(config.http.connections_max, descriptors - reserved));
}

/** Reads what this process may use. `root` is the root of the files of the system; `dataDir` tells which disk. */
export async function readMeans(dataDir: string, root = '/'): Promise<Means> {
  const [memory_bytes, descriptors, disk_bytes] = await Promise.all([
    readMemory(root),
    readDescriptors(root),
    readDisk(dataDir),
  ]);
  return { memory_bytes, descriptors, disk_bytes };
}

async function readMemory(root: string): Promise<number | undefined> {
  const total = /^MemTotal:\s+(\d+) kB/m.exec(await readText(root, 'proc/meminfo'))?.[1];
  const groups = await readText(root, 'proc/self/cgroup');
  const limits = await Promise.all(listLimitFiles(groups).map((file) => readText(root, file)));
  // A limit that is not set is `max`, or in version 1 a number beyond any memory.
  const bytes = [
    ...(total === undefined ? [] : [Number(total) * 1_024]),
    ...limits.flatMap((text) => (/^\d+\s*$/.test(text) ? [Number(text)] : [])),
  ];
  return bytes.length === 0 ? undefined : Math.min(...bytes);
}

/** The files with the limits of all groups of the process, whose lines are `number:controllers:path`. In a container, the path may be of the host. */
function listLimitFiles(groups: string): readonly string[] {
  return groups.split('\n').flatMap((line) => {
    const [, number, controllers, group] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
    if (group === undefined) return [];
    const isVersion2 = number === '0' && controllers === '';
    if (!isVersion2 && !controllers!.split(',').includes('memory')) return [];
    const base = isVersion2 ? 'sys/fs/cgroup' : 'sys/fs/cgroup/memory';
    const file = isVersion2 ? 'memory.max' : 'memory.limit_in_bytes';
    return listAncestors(group).map((each) => path.join(base, each, file));
  });
}

function listAncestors(group: string): readonly string[] {
  const parts = group.split('/').filter((part) => part !== '' && part !== '..');
  return [0, ...parts.keys()].map((_, count) => path.join('', ...parts.slice(0, count)));
}

async function readDescriptors(root: string): Promise<number | undefined> {
  const limit = /^Max open files\s+(\d+)/m.exec(await readText(root, 'proc/self/limits'))?.[1];
  return limit === undefined ? undefined : Number(limit);
}

async function readDisk(dataDir: string): Promise<number | undefined> {
  const found = await statfs(dataDir).catch(() => undefined);
  return found && found.bavail * found.bsize;
}

function readText(root: string, file: string): Promise<string> {
  return readFile(path.join(root, file), 'utf8').catch(() => '');
}

/** Names what is missing, in one line; undefined if nothing is known to be. */
export function describeShortage(needs: Needs, means: Means): string | undefined {
  const format = { memory_bytes: formatMemory, descriptors: String, disk_bytes: formatMemory } as const;
  const missing = (['memory_bytes', 'descriptors', 'disk_bytes'] as const).flatMap((key) => {
    const found = means[key];
    if (found === undefined || found >= needs[key]) return [];
    return [`${names[key]}: ${format[key](found)} instead of ${format[key](needs[key])}`];
  });
  return missing.length === 0 ? undefined : missing.join('; ');
}

/** Says what a process may use, as far as the system says it. */
export function describeMeans({ memory_bytes, descriptors, disk_bytes }: Means): string {
  const parts = [
    memory_bytes !== undefined && `${formatMemory(memory_bytes)} of memory`,
    descriptors !== undefined && `${descriptors} file descriptors`,
    disk_bytes !== undefined && `${formatMemory(disk_bytes)} free on disk`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'the system does not say what there is' : parts.join(', ');
}

const names = {
  memory_bytes: 'memory',
  descriptors: 'file descriptors (ulimit -n)',
  disk_bytes: 'free disk space',
} as const;

function formatMemory(bytes: number): string {
  return `${Math.floor(bytes / mib)} MiB`;
}
