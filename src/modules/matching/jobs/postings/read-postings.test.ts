import { expect, test } from 'vitest';
import { readPostings } from './read-postings.ts';

const posting = {
  '@context': 'https://schema.org',
  '@type': 'JobPosting',
  title: 'Ward &amp; night nurse',
  description: '&lt;p&gt;You care for patients.&lt;/p&gt;&lt;ul&gt;&lt;li&gt;At night&lt;/li&gt;&lt;/ul&gt;',
  qualifications: 'A degree.',
  occupationalCategory: ['29-1141.00 Registered Nurses'],
  jobLocationType: 'TELECOMMUTE',
  applicantLocationRequirements: [
    { '@type': 'Country', name: 'AU' },
    { '@type': 'Country', name: 'NZ' },
  ],
  baseSalary: {
    '@type': 'MonetaryAmount',
    currency: 'AUD',
    value: { '@type': 'QuantitativeValue', minValue: 78_000, maxValue: '96000.40', unitText: 'YEAR' },
  },
  experienceRequirements: { '@type': 'OccupationalExperienceRequirements', monthsOfExperience: '30' },
  educationRequirements: {
    '@type': 'EducationalOccupationalCredential',
    credentialCategory: 'bachelor degree',
  },
};
const read = {
  title: 'Ward & night nurse',
  text: 'You care for patients.\n\n- At night\n\nA degree.',
  fields: {
    occupation_code: '29-1141.00',
    remote_policy: 'remote',
    constraints: {
      location_countries: ['AU', 'NZ'],
      years_experience_min: 2,
      education_level_min: 'bachelors',
    },
    salary_min: 78_000,
    salary_max: 96_000,
    salary_currency: 'AUD',
  },
};

test('a JobPosting is read from JSON-LD, from a graph, and from the HTML of a page', () => {
  const json = JSON.stringify(posting);
  const graph = JSON.stringify([
    { '@graph': [{ '@type': 'Organization' }, { ...posting, '@type': ['Thing', 'schema:JobPosting'] }] },
  ]);
  const page = `<html><head><script type="application/ld+json">{ broken</script>
    <script type="application/ld+json">${graph}</script></head><body>Menu</body></html>`;
  for (const document of [json, graph, page])
    for (const format of ['job_posting', undefined] as const)
      expect(readPostings(document, format)).toEqual([read]);
});

test('what a posting does not say for certain is left out', () => {
  const vague = {
    '@type': 'JobPosting',
    title: 7,
    description: null,
    occupationalCategory: 'Nursing',
    jobLocation: { address: { addressCountry: 'AU' } },
    applicantLocationRequirements: [{ name: 'AU' }, { name: 'New Zealand' }],
    baseSalary: { currency: 'AUD', value: { value: 40, unitText: 'HOUR' } },
    experienceRequirements: { monthsOfExperience: -3 },
    educationRequirements: [{ credentialCategory: 'any' }],
  };
  expect(readPostings(JSON.stringify(vague), undefined)).toEqual([
    { title: undefined, text: '', fields: {} },
  ]);
  const reversed = { currency: 'AUD', value: { minValue: 9, maxValue: 3, unitText: 'YEAR' } };
  const [read_salary] = readPostings(JSON.stringify({ ...vague, baseSalary: reversed }), 'job_posting');
  expect(read_salary!.fields).toEqual({});
});

test('the jobs of a document keep their order', () => {
  const many = JSON.stringify(Array.from({ length: 30 }, (_, index) => ({ ...posting, title: `${index}` })));
  const titles = readPostings(many, undefined).map(({ title }) => title);
  expect([titles.length, titles[0], titles.at(-1)]).toEqual([30, '0', '29']);
});

test('the first line of a text is its title, unless it is a sentence, long or all that there is', () => {
  const readTitle = (text: string) => readPostings(text, 'text').map((each) => [each.title, each.text]);
  expect(readTitle('Night nurse\n\nYou care.')).toEqual([['Night nurse', 'You care.']]);
  expect(readTitle('We need you.\nYou care.')).toEqual([[undefined, 'We need you.\nYou care.']]);
  expect(readTitle('Night nurse')).toEqual([[undefined, 'Night nurse']]);
  expect(readTitle(`${'long '.repeat(30)}\nx`)[0]![0]).toBeUndefined();
});

test('a document without a job of the format has none', () => {
  expect(readPostings('<p>Night nurse</p>', 'job_posting')).toEqual([]);
  expect(readPostings('{"@type": "JobPosting"', 'job_posting')).toEqual([]);
  expect(readPostings('<script>let a;</script>', undefined)).toEqual([]);
});

test('no document takes long, however it is nested or unfinished', () => {
  const parts = ['<script ', '<li ', '<!--', '<script>', '</script', '&#', '[', '{"a":', '"', '\u0130'];
  const started = performance.now();
  for (const part of parts) readPostings(part.repeat(200_000 / part.length), undefined);
  expect(performance.now() - started).toBeLessThan(5_000);
});
