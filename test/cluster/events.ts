import { setTimeout as pause } from 'node:timers/promises';
import { kinds, type Load } from './load/whole-load.ts';

/** Something that breaks while clients write. */
export type Event = {
  readonly name: string;
  readonly breakPart: () => Promise<void>;
  /** Brings back what was broken, and waits until the cluster could lose a part again. */
  readonly repairPart: () => Promise<void>;
};

/** How long nothing happens after an event. */
const calm_ms = 10_000;

/** Runs one event after the other, and prints the longest pause of each kind of write, from the beginning of an event to the end of the calm after it. */
export async function runEvents(events: readonly Event[], load: Load): Promise<void> {
  console.log(`| event | ${kinds.join(' | ')} |\n| --- |${' --- |'.repeat(kinds.length)}`);
  await measureEvent(`none, for ${calm_ms / 1000} s`, load, async () => undefined);
  for (const { name, breakPart, repairPart } of events)
    await measureEvent(name, load, async () => {
      await breakPart();
      await repairPart();
    });
}

async function measureEvent(name: string, load: Load, change: () => Promise<void>): Promise<void> {
  const began = performance.now();
  await change();
  await load.waitForWrites();
  await pause(calm_ms);
  const pauses = kinds.map((kind) => load.log.findLongestGap([kind], began, performance.now()));
  console.log(`| ${name} | ${pauses.map((each) => `${(each / 1000).toFixed(1)} s`).join(' | ')} |`);
}
