import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable } from '#platform/schema.ts';
import { taskStateWire } from './wire.ts';

export const readQueue = operation({
  name: 'operator.readQueue',
  title: 'Read the state of the queue',
  summary: 'Counts the background tasks of all nodes by name. The counts are up to five seconds old.',
  who: ['platform_admin'],
  output: {
    200: closedObject({
      tasks: field(
        nullable(Type.Array(taskStateWire)),
        'All tasks; null if the queue could not be read within two seconds.',
      ),
    }),
  },
  run: async ({ queue }) => {
    const states = await queue.readStates();
    return { tasks: states ? [...states] : null };
  },
});
