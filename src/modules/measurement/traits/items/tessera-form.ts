import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { computeOnce } from '#lib/cache-results.ts';
import { categoricalTraits, continuousTraits, type CategoricalTrait } from '../taxonomy.ts';
import { buildForm, buildItem, type BankForm } from './bank-form.ts';
import type { GradedItem } from './item.ts';
import { english } from './languages.ts';
import type { BankSituation } from './situations.ts';

const statementsFile = 'tessera-statements.csv';
const situationsFile = 'tessera-situations.csv';

/** Our own bank as people review it: what an installation may add to. */
export type OwnForm = BankForm & { readonly situations: readonly BankSituation[] };

/** Reads our own statements, and checks them by the same rules as the bank of anybody else. */
export const readOwnForm = computeOnce((): OwnForm => {
  const rows = readRows(statementsFile).map((cells, index) => ({
    cells,
    where: `${statementsFile}, line ${index + 2}`,
  }));
  return { ...buildForm(statementsFile, rows), situations: readSituations() };
});

/** Builds the items of our own statements. Those that are retired come apart. */
export function buildOwnItems(): { readonly graded: GradedItem[]; readonly retired: GradedItem[] } {
  const { statements } = readOwnForm();
  const build = (isRetired: boolean) =>
    statements
      .filter(({ retired }) => (retired === true) === isRetired)
      .map((statement) => requireTrait(buildItem(statement)));
  return { graded: build(false), retired: build(true) };
}

/** Returns an item of our own bank, whose scales are traits. Throws for any other scale. */
export function requireTrait(item: GradedItem<string>): GradedItem {
  const trait = continuousTraits.find((code) => code === item.trait);
  if (trait === undefined) throw new Error(`${item.id} of our own bank measures no trait on a scale`);
  return { ...item, trait };
}

/** Reads and checks our own situations: a row with the text of the situation, and one for each way of acting in the order that members see. */
function readSituations(): readonly BankSituation[] {
  return [...Map.groupBy(readRows(situationsFile), ({ item_id }) => item_id!)].map(
    ([item_id, [situation, ...options]]) => {
      const scale = situation!['scale'] as CategoricalTrait;
      const values = options.map(({ value }) => value!);
      if (values.toSorted().join() !== [...(categoricalTraits[scale] ?? [])].toSorted().join())
        throw new Error(`${situationsFile}: ${item_id} does not have one option for each way of acting`);
      return {
        item_id,
        scale,
        text: { [english]: situation!['text:en']! },
        options: options.map((option) => ({
          value: option['value']!,
          text: { [english]: option['text:en']! },
        })),
      };
    },
  );
}

function readRows(file: string): readonly Readonly<Record<string, string>>[] {
  return parse(readFileSync(new URL(file, import.meta.url)), { columns: true });
}
