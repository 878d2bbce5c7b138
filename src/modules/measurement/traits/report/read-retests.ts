import type { Reader } from '#platform/database/database.ts';
import type { ItemBank } from '../items/bank.ts';
import { listRetestPairs } from '../volunteers/store-retests.ts';
import type { ReportInput } from './build-report.ts';
import { computeRetestCorrelations, fewest_pairs } from './retest-correlations.ts';

/** Reads how many volunteers took two tests, and what both say; no correlation of a few. */
export async function readRetests(
  { database }: { readonly database: Reader },
  bank: ItemBank<string>,
): Promise<ReportInput['retests']> {
  const pairs = await listRetestPairs(database, bank.version);
  const enough = pairs.length >= fewest_pairs;
  return { pairs: pairs.length, correlations: enough ? computeRetestCorrelations(pairs, bank) : [] };
}
