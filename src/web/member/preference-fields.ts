import type * as matching from '#modules/matching';
import { createFieldRefusal } from '#lib/refusal.ts';
import type { OperationBody, OperationInput } from '#platform/operation.ts';
import type { Field } from '../parts/form.ts';
import type { Visit } from '../serving/page.ts';
import type { Texts } from '../texts/english.ts';

type Preferences = OperationBody<typeof matching.readPreferences>;
type Policy = NonNullable<Preferences['remote_policies']>[number];
type Quadrant = keyof NonNullable<Preferences['values']>;

const quadrants = ['clan', 'adhocracy', 'market', 'hierarchy'] as const satisfies readonly Quadrant[];
const weights = ['0', '25', '50', '75', '100'] as const;

/** The place of each choice of a place to work, by the name of its field. */
const places = ['remote_policies', 'remote_policies_second', 'remote_policies_third'] as const;

/** The fields about place, salary and clearance. */
export function buildPreferenceFields({ texts: all }: Visit, preferences: Preferences): readonly Field[] {
  const { preferences: texts } = all;
  const { remote_policies, salary_min, salary_currency, clearance_held } = preferences;
  const labels = [texts.place, texts.second, texts.third];
  return [
    ...places.map((name, index) => ({
      name,
      label: labels[index]!,
      ...(index === 0 && { hint: texts.placeHint }),
      value: remote_policies?.[index] ?? '',
      optional: true as const,
      options: [
        ['', index === 0 ? texts.anyPlace : texts.nothingElse] as const,
        ...Object.entries(texts.places),
      ],
    })),
    {
      name: 'clearance_held',
      label: texts.clearance,
      value: clearance_held,
      options: Object.entries(texts.clearances),
    },
    {
      name: 'salary_min',
      label: texts.salary,
      hint: texts.salaryHint,
      value: salary_min,
      type: 'number',
      optional: true,
    },
    {
      name: 'salary_currency',
      label: texts.currency,
      value: salary_currency,
      optional: true,
      hint: texts.currencyHint,
      maxlength: 3,
    },
  ];
}

/** The fields about how a workplace should be. */
export function buildValueFields({ texts }: Visit, { values }: Preferences): readonly Field[] {
  const { preferences: words } = texts;
  return quadrants.map((quadrant, index) => ({
    name: quadrant,
    label: words.values[quadrant],
    ...(index === 0 && { hint: words.valuesHint }),
    value: chooseWeight(values?.[quadrant] ?? 0),
    options: weights.map((weight) => [weight, words.weights[weight]] as const),
  }));
}

/** The weight of the form that is nearest to a stored one, which another client may have set to any number. */
function chooseWeight(stored: number): string {
  return weights.toSorted(
    (one, other) => Math.abs(Number(one) - stored) - Math.abs(Number(other) - stored),
  )[0]!;
}

/**
 * Reads the form: choices without a gap, and values only if they differ. The operation refuses other wrong values.
 *
 * @throws Refusal `field_invalid` for a place that is chosen twice, and for a salary without a currency.
 */
export function readPreferences(
  { preferences: texts }: Pick<Texts, 'preferences'>,
  fields: Readonly<Record<string, string>>,
): OperationInput<typeof matching.setPreferences> {
  const read = (name: string) => fields[name]?.trim() || null;
  const policies = places.flatMap((name) => (read(name) as Policy | null) ?? []);
  if (new Set(policies).size < policies.length)
    throw createFieldRefusal('field_invalid', '/remote_policies', texts.placeTwice);
  const [salary, currency] = [read('salary_min'), read('salary_currency')];
  if ((salary === null) !== (currency === null))
    throw createFieldRefusal(
      'field_invalid',
      salary === null ? '/salary_min' : '/salary_currency',
      texts.salaryPair,
    );
  return {
    clearance_held: (read('clearance_held') ?? 'none') as Preferences['clearance_held'],
    remote_policies: policies.length === 0 ? null : policies,
    salary_min: salary === null ? null : Number(salary),
    salary_currency: currency?.toUpperCase() ?? null,
    values: readValues(fields),
  };
}

/** Four equal values prefer nothing. */
function readValues(fields: Readonly<Record<string, string>>): Preferences['values'] {
  const [clan = 0, adhocracy = 0, market = 0, hierarchy = 0] = quadrants.map((each) =>
    Number(fields[each] ?? 0),
  );
  return new Set([clan, adhocracy, market, hierarchy]).size > 1
    ? { clan, adhocracy, market, hierarchy }
    : null;
}
