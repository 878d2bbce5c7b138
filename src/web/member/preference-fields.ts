import type * as matching from '#modules/matching/matches';
import { createFieldRefusal } from '#lib/refusal.ts';
import type { OperationBody, OperationInput } from '#platform/operation.ts';
import type { Field, FieldGroup } from '../parts/form.ts';
import type { Texts } from '../texts/english.ts';

type Preferences = OperationBody<typeof matching.readPreferences>;
type Policy = NonNullable<Preferences['remote_policies']>[number];
type Quadrant = keyof NonNullable<Preferences['values']>;

const quadrants = ['clan', 'adhocracy', 'market', 'hierarchy'] as const satisfies readonly Quadrant[];
/** The place of each choice of a place to work, by the name of its field. */
const places = ['remote_policies', 'remote_policies_second', 'remote_policies_third'] as const;

/** The fields of the form: place, pay and clearance, and how a workplace should be. */
export function buildPreferenceGroups(
  { preferences: texts }: Pick<Texts, 'preferences'>,
  preferences: Preferences,
): readonly FieldGroup[] {
  return [
    { legend: texts.place, hint: texts.placeHint, look: 'row', fields: buildPlaceFields(texts, preferences) },
    { legend: texts.pay, look: 'row', fields: buildPayFields(texts, preferences) },
    {
      legend: texts.workplace,
      hint: texts.workplaceHint,
      look: 'sliders',
      fields: quadrants.map((quadrant) => ({
        name: quadrant,
        label: texts.values[quadrant],
        value: (preferences.values?.[quadrant] ?? 0) / weight_max,
        words: texts.weights,
      })),
    },
  ];
}

/** The largest weight of a value. A slider goes from 0 to 1. */
const weight_max = 100;

function buildPlaceFields(texts: Texts['preferences'], { remote_policies }: Preferences): readonly Field[] {
  return places.map((name, index) => ({
    name,
    label: texts.choices[index]!,
    value: remote_policies?.[index] ?? '',
    optional: 'unmarked',
    options: [['', index === 0 ? texts.anyPlace : texts.nothingElse], ...Object.entries(texts.places)],
  }));
}

function buildPayFields(
  texts: Texts['preferences'],
  { salary_min, salary_currency, clearance_held }: Preferences,
): readonly Field[] {
  return [
    { name: 'salary_min', label: texts.salary, value: salary_min, type: 'number', optional: true },
    {
      name: 'salary_currency',
      label: texts.currency,
      value: salary_currency,
      optional: true,
      maxlength: 3,
    },
    {
      name: 'clearance_held',
      label: texts.clearance,
      value: clearance_held,
      options: Object.entries(texts.clearances),
    },
  ];
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
    Math.round(Number(fields[each] ?? 0) * weight_max),
  );
  return new Set([clan, adhocracy, market, hierarchy]).size > 1
    ? { clan, adhocracy, market, hierarchy }
    : null;
}
