import type { Platform } from '#platform/platform.ts';
import { listParameters, type BankParameters } from '../items/bank.ts';
import type { BankScale, BankStatement } from '../items/bank-form.ts';
import type { BankSituation } from '../items/situations.ts';
import { loadBankVersion, type Norms } from './bank-version.ts';

type ExportedBank = {
  readonly bank: string;
  readonly version: string;
  readonly provisional: boolean;
  readonly respondents: number;
  readonly norms: Norms | null;
  readonly scales: readonly BankScale[];
  readonly items: readonly BankStatement[];
  readonly situations?: readonly BankSituation[];
  readonly parameters: BankParameters;
};

/**
 * Exports a version of a bank: everything that another installation needs for the same scores from the same answers. Situations, which only our own bank
 * has, come with their texts, for people who translate them, and without parameters, because files of answers have none of them.
 *
 * @throws OperatorError for an unknown bank or version.
 */
export async function exportBank(
  platform: Pick<Platform, 'database' | 'memory'>,
  input: Readonly<Record<string, string>>,
): Promise<ExportedBank> {
  const { bank, form, items, respondents, norms } = await loadBankVersion(platform, input);
  const { parameter_version, provisional } = items;
  return {
    bank,
    version: parameter_version,
    provisional,
    respondents,
    norms,
    scales: form.scales,
    items: form.statements,
    ...(form.situations && { situations: form.situations }),
    parameters: listParameters({ ...items, scenarios: [] }),
  };
}

/** Says what a version consists of; `--json` prints all of it. */
export function summariseExport({ items, scales, situations, parameters, ...summary }: ExportedBank) {
  return {
    ...summary,
    scales: scales.length,
    items: items.length,
    ...(situations && { situations: situations.length }),
    parameters: Object.keys(parameters.items).length,
  };
}
