import { closedObject } from '#platform/schema.ts';
import { operation } from '#platform/operation.ts';
import { interaction_cookie, readTools, selectAllowableTools } from '../rules.ts';
import { interactionWire, uid } from '../wire.ts';
import { findInteraction } from './find-interaction.ts';

export const readInteraction = operation({
  name: 'oauth.readInteraction',
  title: 'Read an authorization request',
  summary:
    'Returns which client asks for which tools. Only the browser that started the request can read it.',
  who: 'anyone',
  input: closedObject({ uid }),
  output: { 200: interactionWire },
  refuses: ['authorization_request_not_found'],
  cookies: { reads: interaction_cookie },
  run: async (context, input) => {
    const { client, scope, expires_at } = await findInteraction(context, context.database, input.uid);
    const { role } = context.caller;
    const isAnonymous = role === 'anonymous';
    return {
      uid: input.uid,
      prompt: isAnonymous ? ('login' as const) : ('consent' as const),
      client,
      tools: isAnonymous ? readTools(scope) : selectAllowableTools(scope, role),
      expires_at: expires_at.toISOString(),
    };
  },
});
