import { operation } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { changeOrganisation } from '#modules/access/accounts';
import { organisationSuspensionWire } from './wire.ts';

export const resumeOrganisation = operation({
  name: 'operator.resumeOrganisation',
  title: 'Lift the suspension of an organisation',
  summary:
    'Lifts the suspension of an organisation: its users can log in again, its matches are computed again, and its webhooks are delivered, with the events of the time in between. Its administrators are emailed.',
  who: ['platform_admin'],
  input: closedObject({ org_id: uuid }),
  output: { 200: organisationSuspensionWire },
  refuses: ['organisation_not_found'],
  run: (context, { org_id }) =>
    context.transaction((tx) =>
      changeOrganisation(context, tx, { org_id, suspended: false, actor: context.caller }),
    ),
});
