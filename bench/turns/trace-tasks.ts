import type { Telemetry } from '#platform/telemetry/telemetry.ts';
import type { LongestTurn, TurnMeter } from '../lib/turn-meter.ts';

/** Some tasks are queued for each member. The others of a name do nothing, so that the measurement ends. */
const runs_max = 20;

/** Creates traces that send nothing: they measure the first runs of each task, by its name. */
export function createTaskTracer(meter: TurnMeter, turns: Map<string, LongestTurn>): Telemetry {
  const runs = new Map<string, number>();
  return {
    startRequestSpan: () => ({ runInside: (work) => work(), end: () => undefined }),
    traceRun: async (name, _attributes, work) => {
      const count = (runs.get(name) ?? 0) + 1;
      runs.set(name, count);
      // A task without a result returns nothing.
      if (count > runs_max) return undefined as Awaited<ReturnType<typeof work>>;
      const { result, turn } = await meter.measure(work);
      const before = turns.get(name);
      turns.set(name, {
        busy_ms: Math.max(turn.busy_ms, before?.busy_ms ?? 0),
        elapsed_ms: Math.max(turn.elapsed_ms, before?.elapsed_ms ?? 0),
      });
      return result;
    },
    traceStep: (_name, _attributes, work) => work(),
    close: async () => undefined,
  };
}
