import { expect, test } from 'vitest';
import { block_age_ms_max, describeMoney } from './rules.ts';

const now = new Date('2026-03-12T09:00:00.000Z');

const describeChain = (newest_block_at: Date | null, hasChain = true) =>
  describeMoney([{ topic: 'chain', observed_at: now, fault_count: null, newest_block_at }], 0, {
    now,
    hasChain,
  }).chain;

test('a node is behind when its newest block is older than ten minutes, and unreachable without an answer', () => {
  const computeBlockTime = (ms: number) => new Date(now.getTime() - ms);
  expect(describeChain(computeBlockTime(block_age_ms_max))?.state).toBe('up');
  expect(describeChain(computeBlockTime(block_age_ms_max + 1))?.state).toBe('behind');
  expect(describeChain(null)).toEqual({ state: 'unreachable', newest_block_at: null });
});

test('an installation without a chain says nothing about one, even if it had one before', () => {
  expect(describeChain(null, false)).toBeNull();
  expect(describeMoney([], 3, { now, hasChain: true })).toEqual({ books: null, chain: null, unresolved: 3 });
});
