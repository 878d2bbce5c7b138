import type { Static } from 'typebox';
import { operation } from '#platform/operation.ts';
import {
  categoricalTraits,
  traitFamilies,
  traitFamilyNames,
  traitMeanings,
  traitNames,
  type TraitCode,
  type TraitFamily,
} from '../taxonomy.ts';
import { taxonomyWire } from '../wire.ts';

export const readTaxonomy = operation({
  name: 'traits.readTaxonomy',
  summary:
    'Lists the twenty traits of MVP-20: plain name, family, meaning and, for categorical traits, the values.',
  who: 'anyone',
  output: { 200: taxonomyWire },
  tools: [
    {
      name: 'list_traits',
      title: 'List the traits',
      kind: 'read',
      description:
        'Lists the twenty traits of the MVP-20 taxonomy: code, plain name, family, meaning and, for categorical traits, their values. The codes are those of trait_priorities in create_job. The list rarely changes.',
    },
  ],
  run: async () => taxonomy,
});

const taxonomy: Static<typeof taxonomyWire> = {
  version: 'MVP-20',
  traits: traitFamilyNames.flatMap((family) =>
    traitFamilies[family].map((code) => buildTaxonomyEntry(family, code)),
  ),
};

function buildTaxonomyEntry(family: TraitFamily, code: TraitCode) {
  const valuesByTrait: Partial<Record<TraitCode, readonly string[]>> = categoricalTraits;
  const values = valuesByTrait[code];
  const common = { trait_name: code, name: traitNames[code], family, meaning: traitMeanings[code] };
  return values
    ? { ...common, kind: 'categorical' as const, values: [...values] }
    : { ...common, kind: 'continuous' as const };
}
