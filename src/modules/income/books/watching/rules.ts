/** What was observed last about the books or the chain. */
export type Observation = {
  readonly topic: 'books' | 'chain';
  readonly observed_at: Date;
  readonly fault_count: number | null;
  readonly newest_block_at: Date | null;
};

/** How the node of the chain is. `behind`: its newest block is old, so that payments wait for their confirmations. */
export type ChainState = 'up' | 'behind' | 'unreachable';

/** What the operator must learn about payments and books. */
export type MoneyState = {
  /** The latest check of the books by any process; null before the first. */
  readonly books: { readonly checked_at: Date; readonly fault_count: number } | null;
  /** What a worker saw of the chain within the last minutes; null without a chain, or before the first look. */
  readonly chain: { readonly state: ChainState; readonly newest_block_at: Date | null } | null;
  /** Payments without an outcome or without a read for longer than tasks need to resolve them. */
  readonly unresolved: number;
};

/** Public chains make a block every few seconds. */
export const block_age_ms_max = 600_000;

/** The books and the chain as they were last observed. */
export function describeMoney(
  observations: readonly Observation[],
  unresolved: number,
  { now, hasChain }: { readonly now: Date; readonly hasChain: boolean },
): MoneyState {
  const books = observations.find(({ topic }) => topic === 'books');
  const chain = hasChain ? observations.find(({ topic }) => topic === 'chain') : undefined;
  return {
    books: books ? { checked_at: books.observed_at, fault_count: books.fault_count ?? 0 } : null,
    chain: chain
      ? { state: chooseState(chain.newest_block_at, now), newest_block_at: chain.newest_block_at }
      : null,
    unresolved,
  };
}

function chooseState(newest_block_at: Date | null, now: Date): ChainState {
  if (newest_block_at === null) return 'unreachable';
  return now.getTime() - newest_block_at.getTime() > block_age_ms_max ? 'behind' : 'up';
}
