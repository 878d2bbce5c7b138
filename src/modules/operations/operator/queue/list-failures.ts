import { Type } from 'typebox';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { countFailedTasks, listFailedTasks, type FailurePlace } from '#platform/queue/failed-tasks.ts';
import { failedTaskWire, taskNameInput, toFailedWire } from './wire.ts';

export const listFailures = operation({
  name: 'operator.listFailures',
  title: 'List failed tasks',
  summary: 'Lists the background tasks that failed for good within the last seven days, the latest first.',
  who: ['platform_admin'],
  input: Type.Object({ task: Type.Optional(taskNameInput), ...pageQuery }),
  output: { 200: buildPageSchema(failedTaskWire) },
  refuses: ['cursor_invalid'],
  run: (context, { task, limit, cursor }) => {
    const { database } = context;
    return readPage(
      context,
      { name: 'operator.listFailures', filter: { task }, limit, cursor },
      {
        list: (after: FailurePlace | undefined, rows_max) => listFailedTasks(database, task, after, rows_max),
        count: () => countFailedTasks(database, task),
        getPlace: ({ place, id }): FailurePlace => [place, id],
        toItem: toFailedWire,
      },
    );
  },
});
