import { describe, expect, it } from 'vitest';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

function gate() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { promise, open: () => resolve('done'), breakDown: () => reject(new Error('broken')) };
}

describe('a turnstile', () => {
  it('runs so much at once, lets the rest wait their turn, and refuses who comes to a full line', async () => {
    const pass = createConcurrencyLimiter(2, 1);
    const gates = [gate(), gate(), gate()];
    let running = 0;
    const enter = (each: ReturnType<typeof gate>) =>
      pass(() => {
        running++;
        return each.promise;
      });
    const entered = gates.map(enter);
    await expect(enter(gate())).rejects.toMatchObject({ code: 'overloaded', status: 503 });
    expect(running).toBe(2);
    gates[0]!.open();
    await entered[0];
    await Promise.resolve();
    expect(running).toBe(3);
    for (const each of gates) each.open();
    expect(await Promise.all(entered)).toEqual(['done', 'done', 'done']);
  });

  it('gives its place back when work breaks down', async () => {
    const pass = createConcurrencyLimiter(1, 1);
    await expect(pass(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await pass(() => Promise.resolve('next'))).toBe('next');
  });
});
