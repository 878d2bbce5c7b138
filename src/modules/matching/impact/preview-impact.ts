import { Type } from 'typebox';
import { computeFitWeights } from '#modules/matching/engine';
import { parseTraitPriorities, signChoice, traitPrioritiesInput } from '#modules/matching/jobs';
import { checkVerifiedAdmin, findListedVersion } from '#modules/matching/matches';
import { loadTraitNorms, type TraitNorms, type TraitPriorities } from '#modules/measurement/traits';
import { operation } from '#platform/operation.ts';
import { computeImpact } from './computing/compute-impact.ts';
import { findAlternatives } from './computing/find-alternatives.ts';
import { listComparable, smallest_group, type ComparableAttribute } from './snapshot/rules.ts';
import { findSnapshot } from './snapshot/store.ts';
import { impactPreviewWire, type ImpactPreview } from './wire.ts';

export const previewImpact = operation({
  name: 'impact.previewImpact',
  title: 'Preview what priorities do to groups',
  summary:
    'Shows how often groups of members would be rated strong or better for trait priorities, before a job is saved, and offers the nearest priorities with less impact. Groups are what members have said about themselves. Numbers come from a monthly measurement of groups of at least fifty people, never from single members.',
  who: ['org_admin'],
  input: Type.Object({ trait_priorities: traitPrioritiesInput }),
  output: { 200: impactPreviewWire },
  refuses: ['trait_code_unknown', 'trait_priorities_empty', 'email_not_verified'],
  tools: [
    {
      name: 'preview_job_impact',
      title: 'Preview the impact of a job',
      kind: 'read',
      roles: ['org_admin'],
      consent: 'See what the priorities of a job do to groups of people',
      description:
        'Shows how often groups, such as women and men, would be rated strong or better for trait_priorities, and offers alternatives with less impact. Call it before create_job, show the person the ratios and the alternatives, and let the person choose: pass the chosen trait_priorities and their choice as priorities_choice.',
    },
  ],
  checks: [({ trait_priorities }) => void parseTraitPriorities(trait_priorities)],
  run: async (context, input) => {
    const { caller, database, secrets } = context;
    const trait_priorities = parseTraitPriorities(input.trait_priorities);
    await checkVerifiedAdmin(context);
    const attributes = listComparable(await findSnapshot(database));
    const norms = await loadTraitNorms(context, database, (await findListedVersion(database)).version);
    const sign = (choice: Parameters<typeof signChoice>[1], priorities: TraitPriorities) =>
      signChoice(secrets, choice, { org_id: caller.org_id, trait_priorities: priorities });
    const found =
      attributes.length === 0
        ? []
        : await findAlternatives(
            trait_priorities,
            attributes.map(({ groups }) => groups),
            norms,
          );
    return {
      impact: listImpact(trait_priorities, norms, attributes),
      too_few: attributes.length > 0 ? null : tooFew,
      choice: sign('as_set', trait_priorities),
      alternatives: found.map(({ distance, trait_priorities: priorities, correlation }) => ({
        distance,
        trait_priorities: priorities,
        correlation: round(correlation),
        impact: listImpact(priorities, norms, attributes),
        choice: sign(distance, priorities),
      })),
    };
  },
});

const tooFew = `Too few members have said what groups they belong to: a comparison needs two groups of at least ${smallest_group} people each.`;

function listImpact(
  priorities: TraitPriorities,
  norms: TraitNorms,
  attributes: readonly ComparableAttribute[],
): ImpactPreview['impact'] {
  const weights = computeFitWeights(priorities, norms);
  return attributes.map(({ attribute, measured_on, groups }) => ({
    attribute,
    measured_on,
    groups: computeImpact(weights, groups).map((each) => ({
      ...each,
      people: Math.round(groups.get(each.group)!.people / 10) * 10,
      rate: round(each.rate),
      impact_ratio: round(each.impact_ratio),
      ratio_from: each.ratio_from && round(each.ratio_from),
      ratio_to: each.ratio_to && round(each.ratio_to),
    })),
  }));
}

/** Shares have three decimals. */
function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
