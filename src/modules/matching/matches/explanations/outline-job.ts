import { Type } from 'typebox';
import {
  largestShare,
  limitPriorities,
  parseTraitPriorities,
  traitPrioritiesInput,
} from '#modules/matching/jobs';
import { traitCodes, type TraitCode, type TraitPriorities } from '#modules/measurement/traits';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { mayBeDescribed } from './explanation-words.ts';
import { listDescribedTraits } from './described-traits.ts';

export const outlineJob = operation({
  name: 'matches.outlineJob',
  title: 'See what a job would ask',
  summary:
    'Says what a job with these priorities would ask of people, and about which traits its organisation would read, before an account. Nothing is stored.',
  who: 'anyone',
  input: closedObject({ trait_priorities: traitPrioritiesInput }),
  output: {
    200: closedObject({
      asks: field(
        Type.Array(
          closedObject({
            trait_name: field(Type.Enum([...traitCodes]), 'A trait.', 'empathic_attunement'),
            share: field(Type.Number({ minimum: 0, maximum: 1 }), 'Its share of the weight in the fit.', 0.3),
            is_named: field(
              Type.Boolean(),
              'Whether the organisation reads about it before both sides have agreed, in one job a year: it is one of the three to five that the job asks for most.',
              true,
            ),
            is_described: field(
              Type.Boolean(),
              'Whether the organisation reads about it at all. It counts in the fit in any case.',
              true,
            ),
          }),
        ),
        'The traits that the job asks for, the most important first.',
      ),
      largest_share: field(
        Type.Number(),
        'No trait has a larger share. What exceeds it is spread over all measured traits.',
        largestShare,
      ),
      is_limited: field(Type.Boolean(), 'Whether a trait was limited to that share.', false),
    }),
  },
  refuses: ['trait_code_unknown', 'trait_priorities_empty'],
  run: (_, { trait_priorities }) => {
    const asked = parseTraitPriorities(trait_priorities);
    const { priorities, limited } = limitPriorities(asked);
    const total = Object.values(priorities).reduce((sum, each) => sum + each, 0);
    const named = listDescribedTraits(asked);
    const asks = sortByPriority(asked).map((trait_name) => ({
      trait_name,
      share: Math.round((1_000 * priorities[trait_name]!) / total) / 1_000,
      is_named: named.includes(trait_name),
      is_described: mayBeDescribed(trait_name, 'organisation'),
    }));
    return Promise.resolve({ asks, largest_share: largestShare, is_limited: limited.length > 0 });
  },
});

/** The traits with a priority, the most important first, in the order in which an explanation names them. */
function sortByPriority(priorities: TraitPriorities): readonly TraitCode[] {
  return traitCodes
    .filter((code) => (priorities[code] ?? 0) > 0)
    .toSorted((one, other) => priorities[other]! - priorities[one]!);
}
