import type * as jobs from '#modules/matching/jobs';
import { continuousTraits } from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Content, type Html } from '../../serving/html.ts';
import { selectWord } from '../../parts/select-word.ts';
import type { Visit } from '../../serving/page.ts';
import { formatCountries } from '../jobs/read-job-form.ts';

type Job = OperationBody<typeof jobs.readJob>;

/** Renders what a job asks for and offers, folded away below its shortlist. */
export async function renderJobFacts(visit: Visit, job: Job): Promise<Html> {
  const { jobFacts: texts } = visit.texts;
  const { constraints } = job;
  const countries = formatCountries(visit, constraints.location_countries ?? []);
  const place = [...(constraints.location_states ?? []), countries].filter((part) => part !== '').join(', ');
  return html`<details class="job-facts">
    <summary>${texts.title}</summary>
    <p>${job.outcome_description}</p>
    <dl class="facts">
      ${renderFact(texts.priorities, listPriorities(visit, job).join(', '))}
      ${renderFact(texts.place, place || visit.texts.match.anywhere)}
      ${renderFact(texts.work, visit.texts.match.remote[job.remote_policy])}
      ${constraints.years_experience_min !== undefined && renderFact(texts.years, visit.format.formatNumber(constraints.years_experience_min))}
      ${constraints.education_level_min && renderFact(texts.education, visit.texts.memberHome.educationLevels[constraints.education_level_min])}
      ${job.clearance_required !== 'none' && renderFact(texts.clearance, visit.texts.jobEditor.clearances[job.clearance_required])}
      ${renderFact(texts.salary, formatSalary(visit, job))} ${renderFact(texts.number, job.external_id)}
    </dl>
    ${job.notes.map((note) => html`<p class="quiet small">${note}</p>`)}
  </details>`;
}

function renderFact(label: string, value: Content): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`;
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

function formatSalary({ texts, format }: Visit, { salary_min, salary_max, salary_currency }: Job): string {
  if (salary_currency === null) return texts.jobFacts.noSalary;
  const [from, to] = [salary_min, salary_max].map((value) =>
    value === null ? undefined : format.formatMoney(value, salary_currency),
  );
  if (from !== undefined && to !== undefined) return texts.match.salaryRange(from, to);
  if (from !== undefined) return texts.match.salaryFrom(from);
  return to === undefined ? texts.jobFacts.noSalary : texts.match.salaryTo(to);
}
