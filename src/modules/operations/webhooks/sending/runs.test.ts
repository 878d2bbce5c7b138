import { expect, test } from 'vitest';
import { openMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { createRun, endRun, getRuns, wakeRunsAfter } from './runs.ts';

const buildContext = () => ({ memory: openMemory(() => ({}) as Platform) });

test('a run is held from the first delivery that is left to it until the transaction has ended, and is then woken', async () => {
  const context = buildContext();
  const run = createRun(() => undefined);
  getRuns(context).set('one', run);
  const result = await wakeRunsAfter(context, async (leaveToRun) => {
    expect([run.isHeld(), leaveToRun('one'), leaveToRun('one'), leaveToRun('other')]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect([run.isHeld(), run.takeWake()]).toEqual([true, false]);
    return 'written';
  });
  expect(result).toBe('written');
  expect([run.isHeld(), run.takeWake(), run.takeWake()]).toEqual([false, true, false]);
});

test('a transaction that fails releases its runs as well', async () => {
  const context = buildContext();
  const run = createRun(() => undefined);
  getRuns(context).set('one', run);
  const failing = wakeRunsAfter(context, async (leaveToRun) => {
    leaveToRun('one');
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect([run.isHeld(), run.takeWake()]).toEqual([false, true]);
});

test('a run that is held twice stays held until both have ended', () => {
  const run = createRun(() => undefined);
  const [releaseOne, releaseOther] = [run.keepRunning(), run.keepRunning()];
  releaseOne();
  expect([run.isHeld(), run.takeWake()]).toEqual([true, true]);
  releaseOther();
  expect([run.isHeld(), run.takeWake()]).toEqual([false, true]);
});

test('a run that has ended is not found any more, and does not end the run that came after it', () => {
  const context = buildContext();
  const [first, second] = [createRun(() => undefined), createRun(() => undefined)];
  getRuns(context).set('one', first);
  endRun(context, 'one', first);
  expect(getRuns(context).has('one')).toBe(false);
  getRuns(context).set('one', second);
  endRun(context, 'one', first);
  expect(getRuns(context).get('one')).toBe(second);
});
