import { traitCodes } from '#modules/measurement/traits';
import type { Reader } from '#platform/database/database.ts';
import type { PeopleSubject } from '../counting/store-people.ts';
import { intersection_joint, type ReportAttribute, type StatedGroups } from '../rules.ts';
import type { PublishedCounts } from '../wire.ts';
import { splitGap, type GapDriver } from './rules.ts';
import { listMeanPriorities, listMeanTraits } from './store.ts';

/** More people change a mean very little. */
const people_max = 1_000;

/** More gaps than these are too many to look into at once; the report lists the most unlikely ones. */
const gaps_max = 12;

/** Finds the traits behind the marked gaps of ratings, which follow from the priorities of jobs: at most twelve, the most unlikely to be chance first. */
export async function findDrivers(
  db: Reader,
  people: PeopleSubject,
  comparisons: PublishedCounts['comparisons'],
): Promise<readonly GapDriver[]> {
  const gaps = listGaps(comparisons);
  if (gaps.length === 0) return [];
  const weights = new Map(
    (await listMeanPriorities(db, people.org_id)).map((each) => [each.trait, each.priority]),
  );
  const priorities = traitCodes.map((trait) => weights.get(trait) ?? 0);
  const means = new Map<string, readonly number[]>();
  const drivers: GapDriver[] = [];
  for (const { attribute, selection, group, reference } of gaps) {
    for (const name of [group, reference])
      if (!means.has(`${attribute} ${name}`))
        means.set(
          `${attribute} ${name}`,
          await listMeanTraits(db, people, selectGroup(attribute, name), people_max),
        );
    const traits = splitGap({
      traits: traitCodes,
      priorities,
      group: means.get(`${attribute} ${group}`)!,
      reference: means.get(`${attribute} ${reference}`)!,
    });
    if (traits.length > 0) drivers.push({ attribute, selection, group, reference, traits });
  }
  return drivers;
}

type Gap = Omit<GapDriver, 'traits'>;

function listGaps(comparisons: PublishedCounts['comparisons']): readonly Gap[] {
  return comparisons
    .filter((each) => each.decided_by === 'service' && each.of !== 'assessed')
    .flatMap(({ attribute, selection, groups }) => {
      const reference = groups.find(({ impact_ratio, flag }) => impact_ratio === 1 && flag === null)?.group;
      if (reference === undefined) return [];
      return groups
        .filter(({ flag }) => flag === 'significant' || flag === 'ratio_only')
        .map(({ group, holm_p }) => ({ attribute, selection, group, reference, holm_p }));
    })
    .toSorted((one, other) => (one.holm_p ?? 1) - (other.holm_p ?? 1))
    .slice(0, gaps_max)
    .map(({ attribute, selection, group, reference }) => ({ attribute, selection, group, reference }));
}

function selectGroup(attribute: ReportAttribute, group: string): StatedGroups {
  const anybody = { gender: null, age_band: null, ethnicity: null, disability: null };
  if (attribute !== 'gender_ethnicity') return { ...anybody, [attribute]: group };
  const [gender = null, ethnicity = null] = group.split(intersection_joint);
  return { ...anybody, gender, ethnicity };
}
