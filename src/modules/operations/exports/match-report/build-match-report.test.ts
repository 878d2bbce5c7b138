import { buildJob } from '#test/modules/jobs.ts';
import { expect, test } from 'vitest';
import type { MatchReportSources } from './build-match-report.ts';
import { buildMatchReport } from './build-match-report.ts';
import { proves } from '#test/requirements.ts';

const match = {
  id: '0b5a6d4e-8f21-8c3a-9d70-1f2e3d4c5b6a',
  member_id: '0b5a6d4e-8f21-8aa0-b1c2-d3e4f5061728',
  job_id: '0b5a6d4e-8f21-8c3a-9d70-000000000000',
  org_id: 'f1e2d3c4-0000-4000-8000-000000000000',
  match_quality: 'strong',
  match_status: 'org_interested',
  provisional: true,
  computed_at: new Date('2026-03-02T00:00:00Z'),
} as const;

const sources: MatchReportSources = {
  match,
  is_alias: true,
  job: buildJob({
    id: match.job_id,
    org_id: match.org_id,
    title: 'Archivist',
    outcome_description: 'The archive is in order.',
    status: 'active',
    clearance_required: 'negative_vetting_1',
    remote_policy: 'hybrid',
    trait_priorities: { persistence: 0.25, sincerity: 0, analytical_depth: 0.75 },
    constraints: {},
    salary_min: 80_000,
    salary_max: 95_000,
    salary_currency: 'AUD',
    created_at: new Date('2026-01-01T00:00:00Z'),
    matches_computed_at: null,
    version: 3,
    occupation_code: null,
  }),
  org_name: 'River Murray Trust',
  explanation: {
    match_id: match.id,
    top_strengths: ['Takes problems apart', 'Stays with it'],
    growth_areas: ['Changing plans'],
    belonging_breakdown: { authenticity: 'high', acceptance: 'moderate', complementarity: 'unknown' },
    belonging_basis: 'declared',
    confidence_statement: 'Another assessment would probably lead to the same tier.',
    provisional: true,
    summary_text: 'A strong match.',
    standings: null,
    questions: ['Which setback do you remember best?'],
  },
  changes: [{ to: 'org_interested', on: new Date('2026-03-04T10:15:00Z') }],
};

const readPart = (heading: string, from = sources) =>
  buildMatchReport(from).find((part) => part.heading === heading)!;

test('a report has the tier, the explanation, belonging, the job and the timeline in words', () => {
  proves('open-shape-export-match-detail-report-contents');
  expect(readPart('The match').rows).toContainEqual({
    label: 'Tier',
    value: 'Strong',
    scale: { steps: 4, reached: 3 },
  });
  expect(readPart('The match').rows).toContainEqual({ label: 'Member, by alias', value: 'Person JCKDL' });
  expect(readPart('The match').sentences[0]).toContain('provisional');
  expect(readPart('Why this match').rows.map(({ label }) => label)).toEqual([
    'Strengths',
    '',
    'Worth discussing',
    'To ask in a conversation',
    'Confidence',
  ]);
  expect(readPart('Belonging').rows.map(({ value }) => value)).toEqual([
    'Likely',
    'Possible',
    'Not known yet',
  ]);
  expect(readPart('Belonging').rows.map(({ scale }) => scale?.reached)).toEqual([3, 2, undefined]);
  expect(readPart('The job').rows).toEqual([
    { label: 'Outcome', value: 'The archive is in order.' },
    { label: 'Asks most for', value: 'analytical depth, persistence' },
    { label: 'Place of work', value: 'Hybrid' },
    { label: 'Clearance', value: 'Negative vetting 1' },
    { label: 'Salary a year', value: 'AUD 80,000 to 95,000' },
    { label: 'Job status', value: 'Active' },
  ]);
  expect(readPart('Timeline').rows).toEqual([
    { label: '2 March 2026', value: 'The matches of the job were computed last.' },
    { label: '4 March 2026', value: 'The organisation expressed its interest.' },
  ]);
});

test('the timeline is in the order of the days, even if the matches were computed again after an act', () => {
  const later = { ...sources, match: { ...match, computed_at: new Date('2026-03-10T00:00:00Z') } };
  expect(readPart('Timeline', later).rows.map(({ label }) => label)).toEqual([
    '4 March 2026',
    '10 March 2026',
  ]);
});

test('what it says about the member has no digit', () => {
  const { rows, sentences } = readPart('The match');
  const about = [
    ...rows.filter(({ label }) => label === 'Tier' || label === 'Status').map(({ value }) => value),
    ...sentences,
    ...[readPart('Why this match'), readPart('Belonging')].flatMap((part) => [
      ...part.rows.map(({ value }) => value),
      ...part.sentences,
    ]),
  ];
  expect(about.length).toBeGreaterThan(8);
  for (const words of about) expect(words).not.toMatch(/\d/);
});

test('without an explanation, a report says why and has no belonging', () => {
  const parts = buildMatchReport({ ...sources, explanation: undefined });
  expect(parts.map(({ heading }) => heading)).not.toContain('Belonging');
  expect(readPart('Why this match', { ...sources, explanation: undefined }).sentences[0]).toContain(
    'no longer available',
  );
});
