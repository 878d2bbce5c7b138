import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { queuedTaskWire } from '#modules/operations/tasks';
import { operation } from '#platform/operation.ts';
import { english } from '../items/languages.ts';
import { respondentLimits } from './respondents.ts';
import { estimateParameters } from './estimate-parameters.ts';
import { countRespondents } from '../parameters/store.ts';

export const startCalibration = operation({
  name: 'traits.startCalibration',
  title: 'Estimate the item parameters',
  summary:
    'Starts estimating the parameters of the assessment’s items from the stored answers of all members who consent. It takes minutes; `GET /tasks/{task_id}` shows the progress. The result is a version that is not in use.',
  who: ['platform_admin'],
  output: { 202: queuedTaskWire },
  location: ({ task_id }) => `/tasks/${task_id}`,
  refuses: ['calibration_answers_too_few'],
  idempotent: true,
  run: async (context) => {
    const { fewest } = respondentLimits;
    const respondents = await countRespondents(context.database, english, fewest);
    if (respondents < fewest)
      throw new Refusal('calibration_answers_too_few', {
        detail: `A calibration needs the answers of ${fewest} members. Those of ${respondents} can be used.`,
      });
    return context.transaction(async (tx) => {
      const { user_id } = context.caller;
      const task = await context.queue.start(tx, estimateParameters, { user_id }, user_id);
      const detail = { task_id: task.task_id };
      await recordCallerAudit(context, tx, { action: 'items.calibration_started', detail });
      return task;
    });
  },
});
