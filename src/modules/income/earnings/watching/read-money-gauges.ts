import type { Platform } from '#platform/platform.ts';
import type { MoneyGauges } from '#platform/telemetry/metric-sources.ts';
import { readMoneyState } from './read-money-state.ts';

/** Reads the state of payments as the metrics show it. */
export async function readMoneyGauges(
  platform: Pick<Platform, 'database' | 'config' | 'now'>,
): Promise<MoneyGauges> {
  const { chain, unresolved } = await readMoneyState(platform);
  return {
    unresolved_payments: unresolved,
    chain: chain
      ? {
          isUp: chain.state !== 'unreachable',
          head_age_seconds: chain.newest_block_at
            ? Math.max(0, platform.now().getTime() - chain.newest_block_at.getTime()) / 1_000
            : undefined,
        }
      : undefined,
  };
}
