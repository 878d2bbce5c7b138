import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TaskContext } from '#platform/platform.ts';
import { task } from '#platform/queue/task.ts';

/** Asks for a drill, even if none is configured for the night. */
export type DrillRequest = { readonly by_hand?: true };

const program = fileURLToPath(new URL('../../../../app/main.js', import.meta.url));

/**
 * Proves every night that the archive can be restored, if that is configured. The drill is the operator's command in a process of its own, with
 * the environment of this one: it reads and writes as much as the whole database has.
 */
export const drillNightly = task<DrillRequest>({
  name: 'operator.drillNightly',
  retry_seconds: [],
  every: '41 2 * * *',
  claimed_alone: true,
  run: async (context, { by_hand }) => {
    const { archive } = context.config;
    if (archive && (archive.drill || by_hand)) await runDrillProcess(context);
  },
});

async function runDrillProcess({ log, signal }: TaskContext): Promise<void> {
  const child = fork(program, ['cli', 'drill'], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], signal });
  let reason = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (reason = `${reason}${text}`.slice(-2_000)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) log.info('a drill proved that the archive can be restored');
  // It is an alarm by itself, and another attempt would not change it.
  else log.error({ reason: reason.trim() }, 'the drill failed');
}
