import type { educationLevels } from '#modules/people/members';
import * as jobs from '#modules/matching/jobs';
import {
  continuousTraits,
  traitFamilies,
  traitFamilyNames,
  traitMeanings,
  type TraitPriorities,
} from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { html } from '../../serving/html.ts';
import type { Field, FieldGroup } from '../../parts/form.ts';
import { selectWord } from '../../parts/select-word.ts';
import type { Visit } from '../../serving/page.ts';
import { nameSlider, toPlace } from './priorities.ts';
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
    location_states: location_states.join(', '),
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

/** The groups of the form: priorities by family, conditions, and what the job offers. */
export function buildGroups(
  visit: Visit,
  values: Values,
  evidence: TraitPriorities | undefined,
): readonly FieldGroup[] {
  const { jobEditor: texts } = visit.texts;
  const sliders = traitFamilyNames.map((family, index) => ({
    ...(index === 0 && {
      before: html`<h2>${texts.priorities}</h2>
        <p class="quiet">${texts.prioritiesLead}</p>`,
    }),
    legend: texts.families[family],
    look: 'sliders' as const,
    fields: buildSliders(visit, family, { values, evidence }),
  }));
  return [...sliders, buildConditions(visit, values), buildOffer(visit, values)];
}

type Sliders = { readonly values: Values; readonly evidence: TraitPriorities | undefined };

function buildSliders(
  { texts }: Visit,
  family: keyof typeof traitFamilies,
  { values, evidence }: Sliders,
): readonly Field[] {
  const { jobEditor } = texts;
  const words = Object.values(jobEditor.importance);
  const codes = continuousTraits.filter((code) => traitFamilies[family].some((each) => each === code));
  return codes.map((code) => ({
    name: nameSlider(code),
    label: texts.traits.names[code],
    hint: traitMeanings[code],
    value: values[nameSlider(code)],
    may_be_empty: true as const,
    words,
    ...(evidence && {
      evidence: html`<p class="evidence">${jobEditor.evidence(selectWord(words, evidence[code] ?? 0))}</p>`,
    }),
  }));
}

function buildConditions({ texts }: Visit, values: Values): FieldGroup {
  const { jobEditor, memberHome } = texts;
  return {
    before: html`<h2>${jobEditor.conditions}</h2>`,
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

function buildOffer({ texts: { jobEditor } }: Visit, values: Values): FieldGroup {
  const offered = listChoices(jobEditor.choices).filter((name) => name !== 'clearance_required');
  return {
    before: html`<h2>${jobEditor.offer}</h2>`,
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
