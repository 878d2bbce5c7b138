import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform, Services } from '#platform/platform.ts';
import type { GaugeOptions } from '#platform/telemetry/metric-sources.ts';
import { readMoneyState } from './read-money-state.ts';
import type { MoneyState } from './rules.ts';

/** What the latest check of the books by this process found. */
const getLatestCheck = instanceMemory(() => ({ fault_count: 0 }));

/** Sets how many faults the latest check of the books by this process found. */
export function setFaultCount(services: Pick<Services, 'memory'>, fault_count: number): void {
  getLatestCheck(services).fault_count = fault_count;
}

/** Builds the gauges of the state of the books, of payments and of the chain. Without a value, or while the database cannot be read, a gauge has no sample. */
export function buildMoneyGauges(
  platform: Pick<Platform, 'database' | 'config' | 'now' | 'memory'>,
): readonly GaugeOptions[] {
  const buildGauge = (
    name: string,
    help: string,
    select: (state: MoneyState) => number | undefined,
  ): GaugeOptions => ({
    name,
    help,
    read: async () => {
      const state = await readMoneyState(platform).catch(() => undefined);
      const value = state && select(state);
      return value === undefined ? [] : [[{}, value]];
    },
  });
  return [
    {
      name: 'tessera_ledger_faults',
      help: 'Faults that the latest nightly check of the books by this process found.',
      read: () => [[{}, getLatestCheck(platform).fault_count]],
    },
    buildGauge(
      'tessera_chain_reachable',
      'Whether the node of the chain answered the latest look of a worker (1) or not (0).',
      ({ chain }) => (chain ? Number(chain.state !== 'unreachable') : undefined),
    ),
    buildGauge(
      'tessera_chain_head_age_seconds',
      'How old the newest block of the node of the chain is.',
      ({ chain }) => {
        if (!chain?.newest_block_at) return undefined;
        return Math.max(0, platform.now().getTime() - chain.newest_block_at.getTime()) / 1_000;
      },
    ),
    buildGauge(
      'tessera_payments_unresolved',
      'Payments without an outcome or a read for more than five minutes, counted up to 100.',
      ({ unresolved }) => unresolved,
    ),
  ];
}
