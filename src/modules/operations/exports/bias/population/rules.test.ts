import { expect, test } from 'vitest';
import { listGroups, mapAttributes } from '../rules.ts';
import { showPeople } from './rules.ts';

/** Members who have said nothing but their gender. */
const count = (genders: Readonly<Record<string, number>>) =>
  mapAttributes((attribute) =>
    Object.fromEntries(
      listGroups(attribute).map((group) => {
        if (attribute === 'gender') return [group, genders[group] ?? 0];
        if (attribute === 'gender_ethnicity' && group.endsWith('+not_stated'))
          return [group, genders[group.split('+')[0]!] ?? 0];
        const all = Object.values(genders).reduce((sum, people) => sum + people, 0);
        return [group, group === 'not_stated' ? all : 0];
      }),
    ),
  );

test('beside a hidden group, it is not shown that nobody is in the others', () => {
  const shown = showPeople(count({ woman: 1, not_stated: 80 }));
  expect(Object.values(shown).flatMap((groups) => Object.values(groups))).not.toContain(0);
});

test('that nobody is in a group is shown if it follows from the others', () => {
  expect(showPeople(count({ woman: 80, man: 90 })).gender).toMatchObject({
    woman: 80,
    man: 90,
    non_binary: 0,
    not_stated: 0,
  });
});
