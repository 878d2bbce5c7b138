import type { educationLevels } from '#modules/people/members';
import * as jobs from '#modules/matching/jobs';
import {
  continuousTraits,
  traitFamilies,
  traitFamilyNames,
  traitMeanings,
  type ContinuousTrait,
  type TraitPriorities,
} from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Field, FieldGroup } from '../../parts/form.ts';
import type { Visit } from '../../serving/page.ts';
import { nameSlider, picks, toPlace } from './priorities.ts';
import { formatStates } from '../../parts/countries.ts';
import { formatCountries, listChoices, type Choices } from './read-job-form.ts';

export type Job = OperationBody<typeof jobs.readJob>;

/** The values of the form's fields, by name. */
export type Values = Readonly<Record<string, string>>;

/** What a form begins with: the fields of a job, and where its sliders stand. */
export function listValues(visit: Visit, job: Partial<Job>, priorities: TraitPriorities): Values {
  const { constraints = {} } = job;
  const { location_countries = [], location_states = [], years_experience_min } = constraints;
  const sliders = continuousTraits.map(
    (code) => [nameSlider(code), String(toPlace(priorities[code] ?? 0))] as const,
  );
  const values: Readonly<Record<string, string | number | null | undefined>> = {
    title: job.title,
    outcome_description: job.outcome_description,
    location_countries: formatCountries(visit, location_countries),
    location_states: formatStates(location_countries, location_states),
    years_experience_min,
    education_level_min: constraints.education_level_min,
    ...Object.fromEntries(
      listChoices(visit.texts.jobEditor.choices).map((name) => [name, job[name] ?? readDefault(name)]),
    ),
    salary_min: job.salary_min,
    salary_max: job.salary_max,
    salary_currency: job.salary_currency ?? 'AUD',
    status: job.status,
  };
  const texts = Object.entries(values).map(([name, value]) => [name, String(value ?? '')] as const);
  return Object.fromEntries([...texts, ...sliders]);
}

/** The fields about the job itself. */
export function buildTextFields({ texts: { jobEditor: texts } }: Visit, values: Values): readonly Field[] {
  return [
    { name: 'title', label: texts.jobTitle, value: values['title'], maxlength: 200 },
    {
      name: 'outcome_description',
      label: texts.outcome,
      hint: texts.outcomeHint,
      value: values['outcome_description'],
      lines: 5,
      maxlength: 5_000,
    },
  ];
}

/** What speaks for each trait, beside its slider. */
export type Evidence = (code: ContinuousTrait) => Html | undefined;

/** The groups of the form: priorities by family, conditions, and what the job offers. */
export function buildGroups(
  visit: Visit,
  values: Values,
  { evidence, reach }: Pick<Sliders, 'evidence' | 'reach'>,
): readonly FieldGroup[] {
  // A form that was refused is shown with what was entered.
  const current = { ...values, ...visit.form.values };
  return [
    ...buildPriorities(visit, { values, evidence, reach, current }),
    buildConditions(visit, values, current),
    buildOffer(visit, values, current),
  ];
}

/** The priorities that are set stand first; a job without any begins with three choices. The others are folded by family. */
function buildPriorities(visit: Visit, sliders: Sliders & { readonly current: Values }): FieldGroup[] {
  const { jobEditor: texts } = visit.texts;
  const { current } = sliders;
  const isSet = (code: ContinuousTrait) => Number(current[nameSlider(code)]) > 0;
  const [set, unset] = [continuousTraits.filter(isSet), continuousTraits.filter((code) => !isSet(code))];
  const isPicked = picks.some(([name]) => Boolean(current[name]));
  const first: FieldGroup[] = [
    ...(set.length === 0 || isPicked ? [buildPicks(visit)] : []),
    ...(set.length === 0
      ? []
      : [
          {
            legend: texts.setPriorities,
            look: 'sliders' as const,
            fields: buildSliders(visit, set, sliders),
          },
        ]),
  ];
  const families = traitFamilyNames.map((family): FieldGroup => {
    const codes = unset.filter((code) => traitFamilies[family].some((each) => each === code));
    return {
      legend: texts.families[family],
      look: 'sliders',
      fold: { heading: texts.families[family], is_open: false },
      fields: buildSliders(visit, codes, sliders),
    };
  });
  const groups = [...first, ...families.filter(({ fields }) => fields.length > 0)];
  const before = html`<h2>${texts.priorities}</h2>
    <p class="quiet">${texts.prioritiesLead}</p>
    ${sliders.reach}`;
  return groups.map((group, index) => (index === 0 ? { ...group, before } : group));
}

/** The choices with which a job begins: a trait for each of the three that matter most. */
function buildPicks({ texts: { jobEditor, traits } }: Visit): FieldGroup {
  const options = continuousTraits
    .map((code) => [code, `${traits.names[code]}: ${toLowerFirst(traitMeanings[code])}`] as const)
    .toSorted(([, one], [, other]) => (one < other ? -1 : 1));
  return {
    legend: jobEditor.picks,
    fields: picks.map(([name], index) => ({
      name,
      label: jobEditor.pickLabels[index]!,
      may_be_empty: true as const,
      options: [['', jobEditor.noPick], ...options],
    })),
  };
}

function toLowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

type Sliders = { readonly values: Values; readonly evidence: Evidence; readonly reach: Html };

function buildSliders(
  { texts }: Visit,
  codes: readonly ContinuousTrait[],
  { values, evidence }: Sliders,
): readonly Field[] {
  const { jobEditor } = texts;
  const words = Object.values(jobEditor.importance);
  return codes.map((code) => ({
    name: nameSlider(code),
    label: texts.traits.names[code],
    hint: traitMeanings[code],
    value: values[nameSlider(code)],
    may_be_empty: true as const,
    words,
    evidence: evidence(code),
  }));
}

/** Conditions on a person's profile that are texts or numbers, and those that are a choice with none as default. */
const conditionNames = [
  'location_countries',
  'location_states',
  'years_experience_min',
  'education_level_min',
];

function buildConditions({ texts }: Visit, values: Values, current: Values): FieldGroup {
  const { jobEditor, memberHome } = texts;
  const isAsked =
    conditionNames.some((name) => Boolean(current[name])) ||
    current['clearance_required'] !== readDefault('clearance_required');
  return {
    fold: { heading: jobEditor.conditions, is_open: isAsked },
    legend: jobEditor.conditionsLegend,
    hint: jobEditor.conditionsHint,
    look: 'row',
    fields: [
      {
        name: 'location_countries',
        label: jobEditor.countries,
        hint: jobEditor.countriesHint,
        value: values['location_countries'],
        maxlength: 500,
        optional: true,
      },
      {
        name: 'location_states',
        label: jobEditor.states,
        hint: jobEditor.statesHint,
        value: values['location_states'],
        maxlength: 300,
        optional: true,
      },
      {
        name: 'years_experience_min',
        label: jobEditor.years,
        value: values['years_experience_min'],
        type: 'number',
        optional: true,
      },
      {
        name: 'education_level_min',
        label: jobEditor.education,
        value: values['education_level_min'],
        may_be_empty: true,
        options: [['', jobEditor.anyEducation], ...listEducation(memberHome.educationLevels)],
      },
      buildChoice(jobEditor.choices, 'clearance_required', values),
    ],
  };
}

function listEducation(levels: Readonly<Record<(typeof educationLevels)[number], string>>) {
  return Object.entries(levels).filter(([level]) => level !== 'none');
}

function buildOffer({ texts: { jobEditor } }: Visit, values: Values, current: Values): FieldGroup {
  const offered = listChoices(jobEditor.choices).filter((name) => name !== 'clearance_required');
  return {
    fold: {
      heading: jobEditor.offer,
      is_open:
        Boolean(current['salary_min'] || current['salary_max']) ||
        offered.some((name) => current[name] !== readDefault(name)),
    },
    legend: jobEditor.offerLegend,
    look: 'row',
    fields: [
      ...offered.map((name) => buildChoice(jobEditor.choices, name, values)),
      {
        name: 'salary_min',
        label: jobEditor.salaryMin,
        value: values['salary_min'],
        type: 'number',
        optional: true,
      },
      {
        name: 'salary_max',
        label: jobEditor.salaryMax,
        value: values['salary_max'],
        type: 'number',
        optional: true,
      },
      {
        name: 'salary_currency',
        label: jobEditor.currency,
        hint: jobEditor.currencyHint,
        value: values['salary_currency'],
        maxlength: 3,
        may_be_empty: true,
      },
    ],
  };
}

function buildChoice(choices: Choices, name: keyof Choices, values: Values): Field {
  const { label, words } = choices[name];
  return { name, label, value: values[name], options: Object.entries<string>(words) };
}

function readDefault(name: keyof Choices): string | undefined {
  return (jobs.createJob.input.properties[name] as { readonly default?: string }).default;
}

/** The field that says whether the job is matched. A closed job can be opened again. */
export function buildStatusField({ texts: { jobEditor } }: Visit, values: Values): Field {
  const statuses = (['active', 'draft', 'closed'] as const).filter(
    (status) => status !== 'closed' || values['status'] === 'closed',
  );
  return {
    name: 'status',
    label: jobEditor.status,
    value: values['status'],
    look: 'radio',
    options: statuses.map((status) => [status, jobEditor.statuses[status]] as const),
  };
}
