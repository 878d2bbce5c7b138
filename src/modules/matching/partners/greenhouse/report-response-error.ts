import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';

const errors_max = 50;
const logged_max = 5;

export const reportResponseError = operation({
  name: 'partners.reportResponseError',
  summary:
    'Takes notice that Greenhouse could not read a reply. It is logged for the operator, without the candidate.',
  who: ['org_admin'],
  input: Type.Object({
    api_call: field(Type.String({ maxLength: 100 }), 'The request whose reply was malformed.', 'test_status'),
    errors: field(
      Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: errors_max }),
      'What is wrong with the reply.',
      ['partner_status is missing'],
    ),
  }),
  output: { 200: closedObject({ status: Type.Literal(200) }) },
  refuses: [],
  run: async ({ log, caller }, { api_call, errors }) => {
    const { org_id } = caller;
    const problem = { org_id, api_call, errors: errors.slice(0, logged_max) };
    log.warn(problem, 'an applicant tracking system could not read a reply');
    return { status: 200 as const };
  },
});
