import { indexBank, type ItemBank } from './bank.ts';
import { buildUncalibrated, type StoredForm } from './build-bank.ts';
import { itemBank, judgedBank } from './item-bank.ts';
import { isGraded, type GradedItem } from './item.ts';
import { anchorItems } from './norms.ts';
import { requireTrait } from './tessera-form.ts';

/**
 * Builds our own bank with what an installation has added to it: further statements, and texts in other languages. What the program has retains its
 * parameters; a further statement begins with those that its file or a usual one has, moved as the program's are so that the average member answers as
 * published norms say.
 *
 * @param stored The statements of the installation; without them, the bank is that of the program.
 */
export function buildOwnBank(stored: StoredForm | undefined): ItemBank {
  if (!stored) return itemBank;
  const { version, graded, retired = [], seeded = [], partners, scenarios } = buildUncalibrated(stored);
  return indexBank({
    ...itemBank,
    version,
    parameter_version: version,
    graded: graded.map(buildOwnItem),
    retired: retired.map(buildOwnItem),
    ...(seeded.length > 0 && { seeded: seeded.map((item) => ({ ...buildOwnItem(item), weight: 0 })) }),
    ...(partners && { partners }),
    scenarios: scenarios.map(({ choice, ...scenario }) => {
      const known = itemBank.itemsById.get(scenario.id);
      return { ...scenario, choice: known && !isGraded(known) ? known.choice : choice };
    }),
  });
}

function buildOwnItem(item: GradedItem<string>): GradedItem {
  const known = itemBank.itemsById.get(item.id);
  if (known && isGraded(known)) return { ...known, translations: item.translations };
  return anchorItems([requireTrait(item)], judgedBank.graded)[0]!;
}
