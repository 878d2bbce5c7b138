import { countOverduePayments } from '#modules/income/payments';
import type { Reader } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { describeMoney, type MoneyState } from './rules.ts';
import { listObservations } from './store.ts';

/** Tasks look at unresolved payments each minute. */
const patience_ms = 300_000;

/** Reads what the operator must learn about payments and books. */
export async function readMoneyState({
  database,
  config,
  now,
}: Pick<Platform, 'config' | 'now'> & { readonly database: Reader }): Promise<MoneyState> {
  const at = now();
  const [observations, unresolved] = await Promise.all([
    listObservations(database),
    countOverduePayments(database, new Date(at.getTime() - patience_ms)),
  ]);
  return describeMoney(observations, unresolved, { now: at, hasChain: config.payments.chain !== undefined });
}
