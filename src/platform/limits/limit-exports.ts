import type { LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Memory } from '#platform/platform.ts';

/**
 * Each export in progress holds one of the ten connections of the pool, or the processor for some time. Members, who download all data about
 * themselves, have as many places of their own, so that the long downloads of organisations do not keep them from theirs.
 */
const exports_max = 4;
const exports_per_user_max = 2;

const retry_after = { 'retry-after': '5' };

/** The exports in progress by user. */
type Running = Map<string, number>;

const getAllRunning = instanceMemory(() => ({
  members: new Map() as Running,
  others: new Map() as Running,
}));

type ExportContext = {
  readonly memory: Memory;
  readonly caller: Pick<LoggedInCaller, 'role' | 'user_id'>;
};

function getRunning(context: ExportContext): Running {
  const { members, others } = getAllRunning(context);
  return context.caller.role === 'member' ? members : others;
}

/**
 * Requires that fewer exports than the largest number are in progress in this process, and fewer than the largest number of this user.
 *
 * @throws Refusal `too_many_exports` or `overloaded`.
 */
export function requireExportPlace(context: ExportContext): void {
  const running = getRunning(context);
  const own = running.get(context.caller.user_id) ?? 0;
  if (own >= exports_per_user_max) throw new Refusal('too_many_exports', { headers: retry_after });
  const all = [...running.values()].reduce((sum, count) => sum + count, 0);
  if (all >= exports_max) throw new Refusal('overloaded', { headers: retry_after });
}

/**
 * Produces the parts of an export and holds a place meanwhile. The place is given back when the iteration ends, for whatever reason. A receiver
 * that reads slowly keeps its place.
 *
 * @throws Refusal as {@link requireExportPlace}, with the first part.
 */
export async function* limitExports<Part>(
  context: ExportContext,
  produce: () => AsyncIterable<Part>,
): AsyncGenerator<Part, void> {
  const leave = takePlace(context);
  try {
    yield* produce();
  } finally {
    leave();
  }
}

/**
 * Renders a document that is sent as a whole, and holds a place meanwhile.
 *
 * @throws Refusal as {@link requireExportPlace}.
 */
export async function limitRendering<Result>(
  context: ExportContext,
  render: () => Promise<Result>,
): Promise<Result> {
  const leave = takePlace(context);
  try {
    return await render();
  } finally {
    leave();
  }
}

/** @returns a function that gives the place back. */
function takePlace(context: ExportContext): () => void {
  requireExportPlace(context);
  const running = getRunning(context);
  const { user_id } = context.caller;
  running.set(user_id, (running.get(user_id) ?? 0) + 1);
  return () => {
    const left = running.get(user_id)! - 1;
    if (left > 0) running.set(user_id, left);
    else running.delete(user_id);
  };
}
