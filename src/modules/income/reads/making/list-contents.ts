import { toTraitSlot, traitFamilies, type LatestVector, type TraitCode } from '#modules/measurement/traits';
import { chooseCompleteness, isKnownVariance, type DataCompleteness, type DataType } from '../rules.ts';
import { valueTraits } from './tiers.ts';

/** The parts of a read, as its reply names them. */
type Part = 'archetype' | 'trait_tiers' | 'values' | 'alignment';

/** What a read will contain, in words that tell nothing of what it says. */
export type Contents = { readonly parts: readonly Part[]; readonly data_completeness: DataCompleteness };

/** What decides which parts a read has. */
type PartFacts = {
  readonly data_type: DataType;
  readonly vector: LatestVector;
  readonly archetype_approved: boolean;
  readonly archetype_determined: boolean;
};

/**
 * Lists the parts of a read that say something. Where little is known (`minimal`), an archetype that is undetermined says nothing, and labels say
 * nothing if no trait behind them is known: they would be those of an average person. Otherwise every part is listed, whatever it says, because a quote must
 * not say for nothing what the read is sold for.
 */
export function listContents({
  data_type,
  vector,
  archetype_approved,
  archetype_determined,
}: PartFacts): Contents {
  const data_completeness = chooseCompleteness(vector);
  const isKnown = (codes: readonly TraitCode[]) =>
    codes.some((code) => isKnownVariance(vector.variance[toTraitSlot(code)]!));
  const saysSomething: Readonly<Record<Part, boolean>> = {
    archetype: archetype_determined,
    trait_tiers: Object.values(traitFamilies).some(isKnown),
    values: Object.values(valueTraits).some(isKnown),
    alignment: vector.variance.some(isKnownVariance),
  };
  const bought = partsOfType[data_type].filter(
    (part) => part !== 'archetype' || data_type === 'archetype' || archetype_approved,
  );
  return {
    parts: bought.filter((part) => data_completeness !== 'minimal' || saysSomething[part]),
    data_completeness,
  };
}

const partsOfType: Readonly<Record<DataType, readonly Part[]>> = {
  archetype: ['archetype'],
  trait_profile: ['trait_tiers', 'archetype'],
  values_profile: ['values'],
  alignment: ['alignment'],
};
