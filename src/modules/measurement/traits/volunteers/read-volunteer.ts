import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { loadVolunteer } from './load-volunteer.ts';
import { codeInput, toVolunteerWire, volunteerWire } from './volunteer-reply.ts';

export const readVolunteer = operation({
  name: 'traits.readVolunteer',
  title: 'Read a test for science',
  summary:
    'Reads the test with this code: the item that is asked next, or the result at the end. It can be read and deleted even after the service has stopped asking volunteers.',
  who: 'anyone',
  input: closedObject({ code: codeInput }),
  output: { 200: volunteerWire },
  refuses: ['volunteer_not_found'],
  run: async (context, { code }) =>
    toVolunteerWire(code, await loadVolunteer(context, context.database, code)),
});
