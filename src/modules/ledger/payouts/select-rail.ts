import type { Platform } from '#platform/platform.ts';
import type { PayoutRailName } from '../rules.ts';
import { mockRail } from './mock-rail.ts';
import type { PayoutRail } from './payout-rail.ts';

/** Returns the rail with a name; undefined if this installation cannot use it. */
export function selectRail(
  { config }: Pick<Platform, 'config'>,
  name: PayoutRailName,
): PayoutRail | undefined {
  return name === config.payout_rail ? mockRail : undefined;
}
