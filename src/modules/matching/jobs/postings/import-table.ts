import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { buildDrafts } from './build-drafts.ts';
import { importReply } from './draft-reply.ts';
import { readJobTable } from './read-job-table.ts';

const sample =
  'title,outcome_description,external_ref\nRegistered nurse,"You keep calm in emergencies, and work in a team.",ats-4711\n';

export const importTable = operation({
  name: 'jobs.importTable',
  title: 'Make drafts of a table of jobs',
  summary:
    'Reads at most 50 rows of CSV with the columns title and outcome_description, and external_ref, occupation_code, remote_policy, location_countries (codes with spaces between them), years_experience_min, education_level_min, salary_min, salary_max and salary_currency, as needed. It returns drafts as POST /orgs/me/jobs/import does. All faults are replied with their line and column. Nothing is stored or changed.',
  who: ['org_admin'],
  input: closedObject({
    csv: field(Type.String({ minLength: 1, maxLength: 200_000 }), 'The table, its header first.', sample),
  }),
  output: { 200: importReply },
  refuses: ['table_faulty'],
  run: async (context, { csv }) => buildDrafts(context, readJobTable(csv)),
});
