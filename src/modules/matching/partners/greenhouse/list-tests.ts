import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { listOpenJobs } from '../orders/list-open-jobs.ts';
import { testId } from '../wire.ts';

export const listTests = operation({
  name: 'partners.listTests',
  summary: 'Lists the active jobs of the organisation as tests that Greenhouse can send.',
  who: ['org_admin'],
  input: Type.Object({}),
  output: { 200: Type.Array(closedObject({ partner_test_id: testId, partner_test_name: Type.String() })) },
  refuses: [],
  run: async (context) => {
    const jobs = await listOpenJobs(context);
    return jobs.map(({ id, title }) => ({ partner_test_id: id, partner_test_name: title }));
  },
});
