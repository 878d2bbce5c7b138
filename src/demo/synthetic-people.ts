import type { Random } from './random.ts';
import {
  categoricalTraits,
  continuousTraits,
  itemBank,
  traitFamilies,
  type Answer,
  type CategoricalTrait,
  type Posterior,
} from '#modules/traits';

/** A made-up person: how they would be measured, before and after the error of measurement. */
export type SyntheticPerson = {
  readonly display_name: string;
  readonly posterior: Posterior;
  readonly scenarios: readonly Answer[];
  readonly current_industry: string;
  readonly years_experience: number;
  readonly education_level: 'secondary' | 'certificate' | 'diploma' | 'bachelors' | 'masters' | 'doctorate';
  readonly location_country: string;
  readonly location_state: string;
};

const given = ['Ada', 'Bo', 'Chi', 'Dara', 'Emre', 'Farah', 'Goran', 'Hana', 'Ivo', 'Jun', 'Kofi', 'Lena', 'Mira', 'Noor', 'Olu', 'Pia'];
const family = ['Abara', 'Berg', 'Costa', 'Dube', 'Eriksen', 'Fontaine', 'Gupta', 'Haddad', 'Ito', 'Jansen', 'Khan', 'Lopez', 'Moreau'];
const industries = ['health', 'education', 'software', 'construction', 'retail', 'public service', 'finance', 'logistics', 'hospitality'];
const education = ['secondary', 'certificate', 'diploma', 'bachelors', 'masters', 'doctorate'] as const;
const states = ['NSW', 'VIC', 'QLD', 'WA', 'SA', 'TAS', 'ACT', 'NT'];

/** The share of variance that all traits have in common, and that the traits of a family have besides: the matcher's own prior. */
const common = 0.1;
const inFamily = 0.3;

/** Draws a person whose traits follow the population's prior, measured as well as a finished assessment measures. */
export function syntheticPerson(random: Random): SyntheticPerson {
  return {
    display_name: `${random.pick(given)} ${random.pick(family)}`,
    posterior: measuredTraits(random),
    scenarios: scenarioAnswers(random),
    current_industry: random.pick(industries),
    years_experience: random.below(40),
    education_level: random.pick(education),
    location_country: 'AU',
    location_state: random.pick(states),
  };
}

function measuredTraits(random: Random): Posterior {
  const general = random.normal();
  const families = Object.fromEntries(Object.keys(traitFamilies).map((name) => [name, random.normal()]));
  const variance = continuousTraits.map(() => 0.1 + 0.06 * random.uniform());
  const mean = continuousTraits.map((trait, index) => {
    const ofFamily = families[familyOf(trait)]!;
    const spread = Math.sqrt(1 - variance[index]!);
    return spread * (Math.sqrt(common) * general + Math.sqrt(inFamily) * ofFamily + Math.sqrt(1 - common - inFamily) * random.normal());
  });
  return { mean, variance, covariance: [] };
}

function familyOf(trait: string): string {
  return Object.entries(traitFamilies).find(([, codes]) => (codes as readonly string[]).includes(trait))![0];
}

/** Answers to every situation by somebody who, in half of them, acts in the one way that comes most naturally. */
function scenarioAnswers(random: Random): readonly Answer[] {
  const natural: Readonly<Record<CategoricalTrait, string>> = {
    decision_mode: random.pick(categoricalTraits.decision_mode),
    conflict_style: random.pick(categoricalTraits.conflict_style),
  };
  return itemBank.scenarios.map(({ id, trait, options }) => {
    const naturally = options.findIndex(({ value }) => value === natural[trait]);
    return { item_id: id, option: random.uniform() < 0.5 ? naturally : random.below(options.length) };
  });
}
