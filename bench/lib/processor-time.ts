import { readdir, readFile } from 'node:fs/promises';

/** Reads the microseconds of processor time of running processes, which the Linux scheduler counts exactly, by process id. */
export async function readProcessorTimes(pids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const times = new Map<number, number>();
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => undefined);
    if (text !== undefined) times.set(pid, Number(text.split(' ')[0]) / 1_000);
  }
  return times;
}

/** Adds up what processes used between two readings; infinite if one of them has ended, because its time is unknown. */
export function addDifferences(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): number {
  if ([...before.keys()].some((pid) => !after.has(pid))) return Infinity;
  return [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0);
}

/** Lists the processes that a process has started, and theirs, with one look at each process of the machine. */
export async function listDescendants(pid: number): Promise<readonly number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The parent is the second field after the name of the program, which is in brackets and may contain any character.
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isDescendant = (each: number | undefined): boolean =>
    each !== undefined && (parents.get(each) === pid || isDescendant(parents.get(each)));
  return [...parents.keys()].filter(isDescendant);
}
