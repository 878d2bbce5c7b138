import { escapeHtml } from '#lib/text/escape-html.ts';
import { formatExternalId } from '#lib/external-id.ts';
import type { Organisation } from '#modules/organisations/orgs';
import type { JobConstraints } from '../field-schemas.ts';
import type { Job } from '../resource.ts';
import { credentialCategories } from './job-posting.ts';

/** What a job may be published with: nothing of whom it looks for by traits, and no note of a program. */
type PublishedJob = Omit<Job, 'trait_priorities' | 'external_ref' | 'metadata'>;

type Publisher = Pick<Organisation, 'name' | 'website'>;

/**
 * Writes a job as a JobPosting (https://schema.org/JobPosting, with what search engines ask of it). What the job does not say is left out: above all `jobLocation`, the place of the work, which search engines want of a
 * job that is not remote.
 */
export function buildJobPosting(
  job: PublishedJob,
  { name, website }: Publisher,
): Readonly<Record<string, unknown>> {
  const { clearance_required, occupation_code, constraints } = job;
  return {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: job.title,
    description: formatHtml(job.outcome_description),
    datePosted: job.created_at.toISOString().slice(0, 10),
    identifier: { '@type': 'PropertyValue', name, value: formatExternalId('JOB', job.id) },
    hiringOrganization: { '@type': 'Organization', name, ...(website !== null && { sameAs: website }) },
    ...(job.remote_policy === 'remote' && { jobLocationType: 'TELECOMMUTE' }),
    ...buildRequirements(constraints),
    ...(clearance_required !== 'none' && {
      securityClearanceRequirement: clearance_required.replaceAll('_', ' '),
    }),
    ...(occupation_code !== null && { occupationalCategory: occupation_code }),
    ...buildSalary(job),
  };
}

/** A paragraph for each part of a text that an empty line ends, and a line for each of its lines. */
function formatHtml(text: string): string {
  const paragraphs = text.trim().split(/\n(?:[^\S\n]*\n)+/);
  return paragraphs.map((each) => `<p>${escapeHtml(each).replaceAll('\n', '<br>')}</p>`).join('');
}

function buildRequirements(constraints: JobConstraints): Readonly<Record<string, unknown>> {
  const { years_experience_min: years, education_level_min: education } = constraints;
  const places = listPlaces(constraints);
  const category = Object.keys(credentialCategories).find((each) => isAtMost(each, education));
  return {
    ...(places.length > 0 && { applicantLocationRequirements: places }),
    ...(years && {
      experienceRequirements: {
        '@type': 'OccupationalExperienceRequirements',
        monthsOfExperience: years * 12,
      },
    }),
    ...(category !== undefined && {
      educationRequirements: {
        '@type': 'EducationalOccupationalCredential',
        credentialCategory: category,
      },
    }),
  };
}

/** The categories end with the postgraduate degree, which a doctorate is. */
function isAtMost(category: string, education: JobConstraints['education_level_min']): boolean {
  return credentialCategories[category] === (education === 'doctorate' ? 'masters' : education);
}

/** Where applicants must live: in states of one country, or in countries. */
function listPlaces({ location_countries = [], location_states }: JobConstraints): readonly object[] {
  const [country] = location_countries;
  return location_states
    ? location_states.map((state) => ({ '@type': 'State', name: `${state}, ${country}` }))
    : location_countries.map((name) => ({ '@type': 'Country', name }));
}

function buildSalary({
  salary_min,
  salary_max,
  salary_currency: currency,
}: PublishedJob): Readonly<Record<string, unknown>> {
  if (currency === null || (salary_min ?? salary_max) === null) return {};
  const value = {
    '@type': 'QuantitativeValue',
    ...(salary_min !== null && { minValue: salary_min }),
    ...(salary_max !== null && { maxValue: salary_max }),
    unitText: 'YEAR',
  };
  return { baseSalary: { '@type': 'MonetaryAmount', currency, value } };
}
