import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { interaction_cookie } from '../rules.ts';
import { lockArtifact } from '../store-artifacts.ts';
import { continueWire, uid } from '../wire.ts';
import { findInteraction, storeResult } from './find-interaction.ts';

export const denyInteraction = operation({
  name: 'agents.denyInteraction',
  title: 'Deny an authorization request',
  summary: 'Tells the client that the user does not allow anything. Nobody needs to be logged in for that.',
  who: 'anyone',
  input: closedObject({ uid }),
  output: { 200: continueWire },
  refuses: ['authorization_request_not_found'],
  cookies: { reads: interaction_cookie },
  run: (context, input) =>
    context.transaction(async (tx) => {
      await lockArtifact(tx, { kind: 'Interaction', id: input.uid });
      const interaction = await findInteraction(context, tx, input.uid);
      return storeResult(tx, interaction, context.now(), {
        error: 'access_denied',
        error_description: 'the user did not allow it',
      });
    }),
});
