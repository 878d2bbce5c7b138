import { continuousTraits, traitFamilies } from '../taxonomy.ts';
import {
  indexBank,
  type BankParameters,
  type ItemBank,
  type LanguageParameters,
  type TraitMap,
} from './bank.ts';
import type { GradedItem } from './item.ts';

/**
 * Returns an imported bank as one that measures our traits: the statements of the scales of its map. Traits that no scale measures have no statement, and
 * correlate with nothing, so that nothing is said about them.
 */
export function mapToTraits(bank: ItemBank<string>, map: TraitMap): ItemBank {
  const mapItems = (items: readonly GradedItem<string>[]) =>
    items.flatMap((item) => (Object.hasOwn(map, item.trait) ? [mapItem(item, map[item.trait]!)] : []));
  const sources = new Map(
    Object.entries(map).map(([scale, { trait, sign }]) => [
      trait,
      { slot: bank.slots.get(scale)!, direction: sign === '-' ? -1 : 1 },
    ]),
  );
  return indexBank({
    ...bank,
    traits: continuousTraits,
    families: new Map(
      Object.entries(traitFamilies).flatMap(([family, codes]) => codes.map((code) => [code, family])),
    ),
    covariance: continuousTraits.map((row) =>
      continuousTraits.map((column) => {
        const [one, other] = [sources.get(row), sources.get(column)];
        if (row === column) return 1;
        return one && other ? one.direction * other.direction * bank.covariance[one.slot]![other.slot]! : 0;
      }),
    ),
    graded: mapItems(bank.graded),
    retired: mapItems(bank.retired ?? []),
    seeded: mapItems(bank.seeded ?? []),
    ...(bank.languages && { languages: mapLanguages(bank, map) }),
  });
}

function mapLanguages({ languages = {}, itemsById }: ItemBank<string>, map: TraitMap): LanguageParameters {
  const mapParameters = ([id, parameters]: [string, LanguageParameters[string]['items'][string]]) => {
    const sign = map[itemsById.get(id)?.trait ?? '']?.sign;
    return [id, sign === '-' ? reverseParameters(parameters) : parameters] as const;
  };
  return Object.fromEntries(
    Object.entries(languages).map(([language, { alike, items }]) => [
      language,
      { alike, items: Object.fromEntries(Object.entries(items).map(mapParameters)) },
    ]),
  );
}

/** Turns a statement of a scale into one of a trait. The keyed category of one that measures the opposite counts from the other end. */
function mapItem({ reversed, ...item }: GradedItem<string>, { trait, sign }: TraitMap[string]): GradedItem {
  const isReversed = (reversed === true) !== (sign === '-');
  return {
    ...(sign === '-' ? reverseParameters(item) : item),
    trait,
    ...(isReversed && { reversed: true as const }),
  };
}

/** Counts the categories from the other end. */
function reverseParameters<Parameters extends BankParameters['items'][string]>(
  parameters: Parameters,
): Parameters {
  const { thresholds, standard_errors } = parameters;
  return {
    ...parameters,
    thresholds: thresholds.map((threshold) => 0 - threshold).toReversed(),
    ...(standard_errors && {
      standard_errors: { ...standard_errors, thresholds: standard_errors.thresholds.toReversed() },
    }),
  };
}
