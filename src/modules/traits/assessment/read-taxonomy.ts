import { Type, type Static } from 'typebox';
import {
  categoricalTraits,
  traitFamilies,
  traitMeanings,
  type TraitCode,
  type TraitFamily,
} from '../taxonomy.ts';
import { taxonomyWire } from '../wire.ts';
import { operation } from '#platform/operation.ts';

export const readTaxonomy = operation({
  name: 'traits.readTaxonomy',
  summary: 'The twenty traits of MVP-20: families, meanings, and the values of the categorical ones.',
  who: 'anyone',
  input: Type.Object({}),
  output: { 200: taxonomyWire },
  refuses: [],
  run: async () => taxonomy,
});

const taxonomy: Static<typeof taxonomyWire> = {
  version: 'MVP-20',
  traits: Object.entries(traitFamilies).flatMap(([family, codes]) =>
    codes.map((code) => buildTaxonomyEntry(family as TraitFamily, code)),
  ),
};

function buildTaxonomyEntry(family: TraitFamily, code: TraitCode) {
  const values: readonly string[] | undefined = (
    categoricalTraits as Partial<Record<TraitCode, readonly string[]>>
  )[code];
  const common = { trait_name: code, family, meaning: traitMeanings[code] };
  return values
    ? { ...common, kind: 'categorical' as const, values: [...values] }
    : { ...common, kind: 'continuous' as const };
}
