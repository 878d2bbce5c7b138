import { traitCodes } from '#modules/measurement/traits';
import type { Reader } from '#platform/database/database.ts';
import { compareGroups } from '../compare-groups.ts';
import type { BiasCounts } from '../counting/release-rules.ts';
import { intersection_joint, reportAttributes, selections, type ReportAttribute } from '../rules.ts';
import { splitGap, type GapDriver } from './rules.ts';
import { listMeanPriorities, listMeanTraits, type AveragedGroup, type PeopleSubject } from './store.ts';

/** More people change a mean very little. */
const people_max = 1_000;

/** More gaps than these are too many to look into at once; the report lists the most unlikely ones. */
const gaps_max = 12;

/** Finds the traits behind the marked gaps of ratings, which follow from the priorities of jobs: at most twelve, the most unlikely to be chance first. */
export async function findDrivers(
  db: Reader,
  people: PeopleSubject,
  counts: Pick<BiasCounts, 'shown' | 'totals'>,
): Promise<readonly GapDriver[]> {
  const gaps = listGaps(counts);
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

function listGaps({ shown, totals }: Pick<BiasCounts, 'shown' | 'totals'>): readonly Gap[] {
  return selections
    .filter((each) => each.decided_by === 'service' && each.of !== 'assessed')
    .flatMap((each) =>
      reportAttributes.flatMap((attribute) => {
        const rows = compareGroups(shown[attribute], each, totals.matched);
        const reference = rows.find(({ impact_ratio, flag }) => impact_ratio === 1 && flag === null)?.group;
        if (reference === undefined) return [];
        return rows
          .filter(({ flag }) => flag === 'significant' || flag === 'ratio_only')
          .map(({ group, holm_p }) => ({ attribute, selection: each.selection, group, reference, holm_p }));
      }),
    )
    .toSorted((one, other) => (one.holm_p ?? 1) - (other.holm_p ?? 1))
    .slice(0, gaps_max)
    .map(({ attribute, selection, group, reference }) => ({ attribute, selection, group, reference }));
}

function selectGroup(attribute: ReportAttribute, group: string): AveragedGroup {
  const anybody = { gender: null, age_band: null, ethnicity: null, disability: null };
  if (attribute !== 'gender_ethnicity') return { ...anybody, [attribute]: group };
  const [gender = null, ethnicity = null] = group.split(intersection_joint);
  return { ...anybody, gender, ethnicity };
}
