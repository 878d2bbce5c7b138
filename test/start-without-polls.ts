import { vi } from 'vitest';

/** Starts workers whose intervals never come, so a task that runs was announced and not found by a poll. */
export async function startWithoutPolls(start: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    await start();
  } finally {
    vi.useRealTimers();
  }
}
