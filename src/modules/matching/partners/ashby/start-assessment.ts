import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { addOrder, orderRefusals } from '../orders/add-order.ts';
import { assessmentWire, candidateEmail, partnerText, testId } from '../wire.ts';

const update_path = '/assessment.update';

export const startAssessment = operation({
  name: 'partners.startAssessment',
  summary:
    'Invites a candidate of Ashby to a job. Of the candidate, only the address is stored. A repeated request, by the application and the job, invites nobody again.',
  who: ['org_admin'],
  input: Type.Object({
    assessment_type_id: testId,
    candidate: Type.Object({ email: candidateEmail }),
    application: Type.Object({ ashby_id: partnerText }),
  }),
  output: { 200: assessmentWire },
  refuses: [...orderRefusals],
  run: async (context, { assessment_type_id, candidate, application }) => {
    const assessment_id = await addOrder(context, {
      partner: 'ashby',
      job_id: assessment_type_id,
      email: candidate.email,
      request_name: [application.ashby_id, assessment_type_id],
      findCallback: ({ origin }) => origin + update_path,
    });
    return { success: true as const, results: { assessment_id } };
  },
});
