import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { findTask } from '#platform/queue/tracked-tasks.ts';
import { uuid } from '#platform/schema.ts';
import { taskWire, toWire } from './wire.ts';

export const readTask = operation({
  name: 'tasks.readTask',
  summary: 'Reads the status and progress of a background task that the caller started.',
  who: roles,
  input: Type.Object({ task_id: uuid }),
  output: { 200: taskWire },
  refuses: ['task_not_found'],
  run: async ({ database, caller }, { task_id }) => {
    const task = await findTask(database, { id: task_id, user_id: caller.user_id });
    if (!task) throw new Refusal('task_not_found');
    return toWire(task);
  },
});
