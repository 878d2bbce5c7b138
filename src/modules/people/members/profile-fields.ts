import { Type, type Static, type TObject } from 'typebox';
import { field, nullable, text } from '#platform/schema.ts';

export const educationLevels = [
  'none',
  'secondary',
  'certificate',
  'diploma',
  'bachelors',
  'masters',
  'doctorate',
] as const;

/** What a member says about their work; null for what they have left out. */
export const profileFields = {
  current_industry: field(nullable(text(100)), 'The industry that you work in.', 'Water supply'),
  years_experience: field(
    nullable(Type.Integer({ minimum: 0, maximum: 80 })),
    'Years of work experience.',
    7,
  ),
  education_level: field(nullable(Type.Enum(educationLevels)), 'The highest completed level.', 'bachelors'),
  location_country: nullable(
    Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2, such as AU.', examples: ['AU'] }),
  ),
  location_state: nullable(
    Type.String({
      pattern: '^[A-Z0-9]{1,3}$',
      description: 'ISO 3166-2 without the country, such as NSW.',
      examples: ['NSW'],
    }),
  ),
};

export type Profile = Readonly<Static<TObject<typeof profileFields>>>;
