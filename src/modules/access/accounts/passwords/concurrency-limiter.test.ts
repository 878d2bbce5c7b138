import { describe, expect, it } from 'vitest';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

function createGate() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { promise, open: () => resolve('done'), breakDown: () => reject(new Error('broken')) };
}

describe('a concurrency limiter', () => {
  it('runs a limited number of calls, queues a limited number, and refuses the rest', async () => {
    const runLimited = createConcurrencyLimiter(2, 1);
    const gates = [createGate(), createGate(), createGate()];
    let running = 0;
    const enter = (each: ReturnType<typeof createGate>) =>
      runLimited(() => {
        running++;
        return each.promise;
      });
    const results = gates.map(enter);
    await expect(enter(createGate())).rejects.toMatchObject({ code: 'overloaded', status: 503 });
    expect(running).toBe(2);
    gates[0]!.open();
    await results[0];
    await Promise.resolve();
    expect(running).toBe(3);
    for (const each of gates) each.open();
    expect(await Promise.all(results)).toEqual(['done', 'done', 'done']);
  });

  it('starts waiting work after other work fails', async () => {
    const runLimited = createConcurrencyLimiter(1, 1);
    await expect(runLimited(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await runLimited(() => Promise.resolve('next'))).toBe('next');
  });
});
