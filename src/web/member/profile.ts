import type { OperationInput } from '#platform/operation.ts';
import type * as members from '#modules/people/members';
import { listSubdivisions, nameSubdivision } from '#lib/places/subdivisions.ts';
import { buildCountryField, readCountry, readState } from '../parts/countries.ts';
import type { Field } from '../parts/form.ts';
import type { Visit } from '../serving/page.ts';

/** What a member says about their work. */
export type Profile = {
  readonly current_industry: string | null;
  readonly years_experience: number | null;
  readonly education_level: keyof Visit['texts']['memberHome']['educationLevels'] | null;
  readonly location_country: string | null;
  readonly location_state: string | null;
};

/** The fields of the profile's form. */
export function buildProfileFields(visit: Visit, profile: Profile): readonly Field[] {
  const { memberHome } = visit.texts;
  const choose = ['', memberHome.choose] as const;
  return [
    {
      name: 'current_industry',
      label: memberHome.industry,
      value: profile.current_industry,
      maxlength: 100,
    },
    { name: 'years_experience', label: memberHome.years, value: profile.years_experience, type: 'number' },
    {
      name: 'education_level',
      label: memberHome.education,
      value: profile.education_level,
      options: [choose, ...Object.entries(memberHome.educationLevels)],
    },
    {
      ...buildCountryField(visit, {
        name: 'location_country',
        label: memberHome.country,
        value: profile.location_country,
      }),
      autocomplete: 'country-name',
    },
    buildStateField(visit, profile),
  ];
}

/** The field for the state or region, which proposes those of the country that is stored. */
function buildStateField(
  { texts }: Visit,
  { location_country: country, location_state: state }: Profile,
): Field {
  return {
    name: 'location_state',
    label: texts.memberHome.state,
    hint: texts.places.stateHint,
    value: state && nameSubdivision(country ?? '', state),
    autocomplete: 'address-level1',
    maxlength: 100,
    optional: true,
    suggestions: country === null ? [] : listSubdivisions(country).map(([, name]) => name),
  };
}

/**
 * Reads the form: an empty field is one that the member leaves out. The operation refuses other wrong values.
 *
 * @throws Refusal `field_invalid` for a country or a state that is none.
 */
export function readProfile(
  visit: Visit,
  fields: Readonly<Record<string, string>>,
): OperationInput<typeof members.updateProfile> {
  const read = (name: string) => fields[name]?.trim() || null;
  const [years, country, state] = [
    read('years_experience'),
    read('location_country'),
    read('location_state'),
  ];
  const location_country = country && readCountry(visit, 'location_country', country);
  return {
    current_industry: read('current_industry'),
    years_experience: years === null ? null : Number(years),
    education_level: read('education_level') as Profile['education_level'],
    location_country,
    location_state: state && readState(visit, 'location_state', location_country, state),
  };
}
