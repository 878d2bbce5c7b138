import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { listOpenJobs } from '../orders/list-open-jobs.ts';
import { succeeded, testId } from '../wire.ts';

export const listAssessments = operation({
  name: 'partners.listAssessments',
  summary: 'Lists the active jobs of the organisation as assessments that Ashby can start.',
  who: ['org_admin'],
  input: Type.Object({}),
  output: {
    200: closedObject({
      success: succeeded,
      results: Type.Array(
        closedObject({ assessment_type_id: testId, name: Type.String(), description: Type.String() }),
      ),
    }),
  },
  refuses: [],
  run: async (context) => {
    const jobs = await listOpenJobs(context);
    const results = jobs.map(({ id, title, outcome_description }) => ({
      assessment_type_id: id,
      name: title,
      description: outcome_description,
    }));
    return { success: true as const, results };
  },
});
