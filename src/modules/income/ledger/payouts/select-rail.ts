import type { Services } from '#platform/platform.ts';
import type { PayoutRailName } from '../rules.ts';
import { createChainRail } from './chain-rail.ts';
import { mockRail } from './mock-rail.ts';
import type { PayoutRail } from './payout-rail.ts';

/** Returns the rail with a name; undefined if this installation cannot use it. */
export function selectRail(services: Services, name: PayoutRailName): PayoutRail | undefined {
  const { payments, payout_rail } = services.config;
  if (name === 'mock') return payments.rails.includes('mock') ? mockRail : undefined;
  return payout_rail === 'chain' ? createChainRail(services) : undefined;
}
