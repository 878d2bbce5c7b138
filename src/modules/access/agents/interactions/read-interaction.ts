import { closedObject } from '#platform/schema.ts';
import { operation } from '#platform/operation.ts';
import { interaction_cookie, isLoginTooOld, readTools, selectAllowableTools } from '../rules.ts';
import { interactionWire, uid } from '../wire.ts';
import { nameClient } from '../name-clients.ts';
import { findInteraction } from './find-interaction.ts';

export const readInteraction = operation({
  name: 'agents.readInteraction',
  title: 'Read an authorization request',
  summary:
    'Returns which client asks for which tools. Only the browser that started the request can read it.',
  who: 'anyone',
  input: closedObject({ uid }),
  output: { 200: interactionWire },
  refuses: ['authorization_request_not_found'],
  cookies: { reads: interaction_cookie },
  run: async (context, input) => {
    const { client, scope, login, expires_at } = await findInteraction(context, context.database, input.uid);
    const { caller, tools } = context;
    const isAnonymous = caller.role === 'anonymous';
    const needsLogin = isAnonymous || isLoginTooOld(login, caller.authenticated_at);
    return {
      uid: input.uid,
      prompt: needsLogin ? ('login' as const) : ('consent' as const),
      client: { ...client, ...(await nameClient(context, context.database, client)) },
      tools: isAnonymous ? readTools(tools, scope) : selectAllowableTools(tools, scope, caller.role),
      expires_at: expires_at.toISOString(),
    };
  },
});
