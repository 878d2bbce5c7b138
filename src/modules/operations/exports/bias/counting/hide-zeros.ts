import { intersection_joint, mapAttributes, mapColumns, type ShownColumnCounts } from '../rules.ts';
import type { ShownAttributes } from './hide-numbers.ts';

type ShownGroups = Readonly<Record<string, ShownColumnCounts>>;

const hidden = mapColumns(() => null);

/**
 * Hides that nobody is in a group, unless all groups with people show how many they are, from which it follows anyway. Otherwise the zeros name the groups
 * that are hidden: if there is one, it is that of everybody.
 */
export function hideZeros(shown: ShownAttributes): ShownAttributes {
  return mapAttributes((attribute) =>
    attribute === 'gender_ethnicity'
      ? hideZeroCells(shown)
      : Object.values(shown[attribute]).some(({ matched }) => matched === null)
        ? mapGroups(shown[attribute], (_, numbers) => (numbers.matched === 0 ? hidden : numbers))
        : shown[attribute],
  );
}

/** A combined group of a gender or an ethnic group in which nobody is stays, if one of them shows it. */
function hideZeroCells({ gender, ethnicity, gender_ethnicity }: ShownAttributes): ShownGroups {
  const isComplete = (groups: ShownGroups) => Object.values(groups).every(({ matched }) => matched !== null);
  const [gendersShown, ethnicitiesShown] = [isComplete(gender), isComplete(ethnicity)];
  return mapGroups(gender_ethnicity, (group, numbers) => {
    const [row = '', column = ''] = group.split(intersection_joint);
    const [isRowEmpty, isColumnEmpty] = [gender[row]?.matched === 0, ethnicity[column]?.matched === 0];
    const isKnown = (isRowEmpty && gendersShown) || (isColumnEmpty && ethnicitiesShown);
    return (isRowEmpty || isColumnEmpty) && !isKnown ? hidden : numbers;
  });
}

function mapGroups(
  groups: ShownGroups,
  change: (group: string, numbers: ShownColumnCounts) => ShownColumnCounts,
): ShownGroups {
  return Object.fromEntries(
    Object.entries(groups).map(([group, numbers]) => [group, change(group, numbers)]),
  );
}
