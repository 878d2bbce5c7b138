import type * as jobs from '#modules/matching/jobs';
import { continuousTraits } from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { formatPlace } from '../../parts/countries.ts';
import { renderFacts } from '../../parts/facts.ts';
import { html, type Html } from '../../serving/html.ts';
import { selectWord } from '../../parts/select-word.ts';
import type { Visit } from '../../serving/page.ts';

type Job = OperationBody<typeof jobs.readJob>;

/** Renders what a job asks for and offers, folded away below its shortlist. */
export async function renderJobFacts(visit: Visit, job: Job): Promise<Html> {
  const { jobFacts: texts } = visit.texts;
  const { constraints, clearance_required } = job;
  const {
    location_countries = [],
    location_states = [],
    years_experience_min,
    education_level_min,
  } = constraints;
  return html`<details class="job-facts">
    <summary>${texts.title}</summary>
    <p>${job.outcome_description}</p>
    ${renderFacts(
      [
        [texts.priorities, visit.format.formatList(listPriorities(visit, job))],
        [texts.place, formatPlace(visit, location_countries, location_states) ?? visit.texts.match.anywhere],
        [texts.work, visit.texts.match.remote[job.remote_policy]],
        [
          texts.years,
          years_experience_min === undefined ? undefined : visit.format.formatNumber(years_experience_min),
        ],
        [texts.education, education_level_min && visit.texts.memberHome.educationLevels[education_level_min]],
        [
          texts.clearance,
          clearance_required === 'none' ? undefined : visit.texts.jobEditor.clearances[clearance_required],
        ],
        [texts.salary, formatSalary(visit, job)],
        [texts.number, job.external_id],
      ],
      'facts',
    )}
    ${job.notes.map((note) => html`<p class="quiet small">${note}</p>`)}
  </details>`;
}

/** The traits that a job asks for, the most important first, in words. */
function listPriorities({ texts }: Visit, { trait_priorities }: Job): readonly string[] {
  const words = Object.values(texts.jobEditor.importance);
  return continuousTraits
    .map((code) => [code, trait_priorities[code] ?? 0] as const)
    .filter(([, priority]) => priority > 0)
    .toSorted(([, one], [, other]) => other - one)
    .map(([code, priority]) => `${texts.traits.names[code]} (${selectWord(words, priority)})`);
}

/** Formats the salary that a job offers, in words if it states none. */
export function formatSalary(
  { texts, format }: Visit,
  { salary_min, salary_max, salary_currency }: Pick<Job, 'salary_min' | 'salary_max' | 'salary_currency'>,
): string {
  if (salary_currency === null) return texts.jobFacts.noSalary;
  const [from, to] = [salary_min, salary_max].map((value) =>
    value === null ? undefined : format.formatMoney(value, salary_currency),
  );
  if (from !== undefined && to !== undefined) return texts.match.salaryRange(from, to);
  if (from !== undefined) return texts.match.salaryFrom(from);
  return to === undefined ? texts.jobFacts.noSalary : texts.match.salaryTo(to);
}
