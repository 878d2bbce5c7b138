import { Type, type Static } from 'typebox';
import { computeFitWeights, matchQualities } from '#modules/matching/engine';
import { parseTraitPriorities, traitPrioritiesInput } from '#modules/matching/jobs';
import { checkVerifiedAdmin, findListedVersion } from '#modules/matching/matches';
import { loadTraitNorms } from '#modules/measurement/traits';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable } from '#platform/schema.ts';
import { computeTierSizes } from './computing/compute-impact.ts';
import { roundPeople } from './computing/round-people.ts';
import { countPeople, findMeasuredMembers, smallest_group } from './snapshot/rules.ts';
import { findSnapshot } from './snapshot/store.ts';

const reachByTierWire = closedObject(
  {
    measured_on: field(
      nullable(Type.String({ format: 'date' })),
      'The day of the latest measurement; null while fewer than fifty members were measured.',
      '2026-03-02',
    ),
    members: field(
      nullable(Type.Integer({ minimum: smallest_group })),
      'About how many members were measured; null while they are fewer than fifty.',
      720,
    ),
    tiers: field(
      Type.Array(
        closedObject({
          match_quality: Type.Enum(matchQualities),
          about: field(
            nullable(Type.Integer({ minimum: 10 })),
            'About how many of them would have this tier; null for fewer than ten.',
            60,
          ),
        }),
        { maxItems: matchQualities.length },
      ),
      'The tiers, the best first; empty while fewer than fifty members were measured.',
    ),
  },
  { $id: 'ReachByTier' },
);

type ReachByTier = Static<typeof reachByTierWire>;

const nobodyMeasured: ReachByTier = { measured_on: null, members: null, tiers: [] };

export const previewReach = operation({
  name: 'impact.previewReach',
  title: 'Preview whom priorities reach',
  summary:
    'Says about how many members would have each tier for trait priorities, before a job is saved. The numbers come from sums over at least fifty members, which are made at most once a month, and never from single members. Conditions of a job do not count.',
  who: ['org_admin'],
  input: Type.Object({ trait_priorities: traitPrioritiesInput }),
  output: { 200: reachByTierWire },
  refuses: ['trait_code_unknown', 'trait_priorities_empty', 'email_not_verified'],
  checks: [({ trait_priorities }) => void parseTraitPriorities(trait_priorities)],
  run: async (context, input) => {
    const { database } = context;
    const trait_priorities = parseTraitPriorities(input.trait_priorities);
    await checkVerifiedAdmin(context);
    const measured = findMeasuredMembers(await findSnapshot(database));
    if (!measured) return nobodyMeasured;
    const norms = await loadTraitNorms(context, database, (await findListedVersion(database)).version);
    const sizes = computeTierSizes(computeFitWeights(trait_priorities, norms), measured.groups);
    return {
      measured_on: measured.measured_on,
      members: roundPeople(countPeople(measured)),
      tiers: [...sizes].map(([match_quality, size]) => ({ match_quality, about: roundPeople(size) })),
    };
  },
});
