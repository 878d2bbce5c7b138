import type { OperationInput } from '#platform/operation.ts';
import type * as members from '#modules/people/members';
import { listCountries } from '../parts/countries.ts';
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
      name: 'location_country',
      label: memberHome.country,
      value: profile.location_country,
      autocomplete: 'country',
      options: [choose, ...listCountries(visit)],
    },
    {
      name: 'location_state',
      label: memberHome.state,
      value: profile.location_state,
      maxlength: 3,
      optional: true,
    },
  ];
}

/** Reads the form: an empty field is one that the member leaves out. The operation refuses wrong values. */
export function readProfile(
  fields: Readonly<Record<string, string>>,
): OperationInput<typeof members.updateProfile> {
  const read = (name: string) => fields[name]?.trim() || null;
  const years = read('years_experience');
  return {
    current_industry: read('current_industry'),
    years_experience: years === null ? null : Number(years),
    education_level: read('education_level') as Profile['education_level'],
    location_country: read('location_country')?.toUpperCase() ?? null,
    location_state: read('location_state')?.toUpperCase() ?? null,
  };
}
