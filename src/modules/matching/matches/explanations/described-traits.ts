import { traitCodes, traitFamilies, type TraitCode, type TraitPriorities } from '#modules/measurement/traits';

/** The traits of integrity. Organisations read nothing about a member's integrity, whether it is high or low. */
export const integrityTraits: ReadonlySet<TraitCode> = new Set(traitFamilies.integrity_trust);

const [traits_min, traits_max] = [3, 5] as const;

/** The lowest priority of a fourth or fifth trait, as a share of the highest that is described. */
const lowestShare = 0.5;

/**
 * Lists the three to five traits that an organisation can read about in detail, the most important first. Equal priorities keep the order of the
 * taxonomy. The job alone decides, so that the choice says nothing about a person. Integrity is left out, and a job that asks for fewer traits has fewer.
 */
export function listDescribedTraits(job: TraitPriorities): readonly TraitCode[] {
  const askFor = (code: TraitCode) => job[code] ?? 0;
  const sorted = traitCodes
    .filter((code) => askFor(code) > 0 && !integrityTraits.has(code))
    .toSorted((one, other) => askFor(other) - askFor(one));
  const lowest = lowestShare * Math.max(0, ...sorted.map(askFor));
  return sorted.filter((code, place) => place < traits_min || (place < traits_max && askFor(code) >= lowest));
}
