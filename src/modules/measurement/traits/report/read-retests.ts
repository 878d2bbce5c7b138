import type { Reader } from '#platform/database/database.ts';
import type { BankVersion } from '../banks/bank-version.ts';
import { listCompatibleForms } from '../banks/compatible-forms.ts';
import { listRetestPairs } from '../volunteers/store-retests.ts';
import type { ReportInput } from './build-report.ts';
import { computeRetestCorrelations, fewest_pairs } from './retest-correlations.ts';

/** Reads how many volunteers took two tests, and what both say; no correlation of a few. */
export async function readRetests(
  { database }: { readonly database: Reader },
  { bank, form, items }: Pick<BankVersion, 'bank' | 'form' | 'items'>,
): Promise<ReportInput['retests']> {
  const pairs = await listRetestPairs(database, await listCompatibleForms(database, bank, form));
  const enough = pairs.length >= fewest_pairs;
  return { pairs: pairs.length, correlations: enough ? computeRetestCorrelations(pairs, items) : [] };
}
