import { expect, test } from 'vitest';
import { createSequentialRunner } from './sequential-runner.ts';

test('work begins when the work before it has ended, even if that failed', async () => {
  const runInSequence = createSequentialRunner();
  const events: string[] = [];
  const { promise: mayFail, reject: fail } = Promise.withResolvers<void>();
  const first = runInSequence(() => mayFail);
  const second = runInSequence(async () => {
    events.push('second');
    return 2;
  });
  await Promise.resolve();
  events.push('failing');
  fail(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  expect([await second, events]).toEqual([2, ['failing', 'second']]);
});
