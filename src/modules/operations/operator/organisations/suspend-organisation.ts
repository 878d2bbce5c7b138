import { operation } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { changeOrganisation } from '#modules/access/accounts';
import { organisationSuspensionWire } from './wire.ts';

export const suspendOrganisation = operation({
  name: 'operator.suspendOrganisation',
  title: 'Suspend an organisation',
  summary:
    'Suspends an organisation: its users are logged out everywhere at once and cannot log in, its jobs find no matches and members no longer see them as open, and its webhooks wait. Nothing is deleted. Its administrators are emailed.',
  who: ['platform_admin'],
  input: closedObject({ org_id: uuid }),
  output: { 200: organisationSuspensionWire },
  refuses: ['organisation_not_found'],
  run: (context, { org_id }) =>
    context.transaction((tx) =>
      changeOrganisation(context, tx, { org_id, suspended: true, actor: context.caller }),
    ),
});
