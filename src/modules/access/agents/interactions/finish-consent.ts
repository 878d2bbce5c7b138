import { Type } from 'typebox';
import { requireRecentAuthentication } from '#lib/caller.ts';
import { recordGrant } from '../grants/record-grant.ts';
import { lifetimes_days, spend_cap_dollars_max } from '../grants/rules.ts';
import { readSpendCap } from '../grants/wire.ts';
import { Refusal } from '#lib/refusal.ts';
import { joinToolScopes, type Tool } from '#lib/tool.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable, patternText } from '#platform/schema.ts';
import { buildResource, interaction_cookie, isLoginTooOld, selectAllowableTools } from '../rules.ts';
import { lockArtifact, upsertArtifact } from '../store-artifacts.ts';
import { recordClientUse } from '../store-clients.ts';
import { consentingRoles, continueWire, uid } from '../wire.ts';
import { findInteraction, storeResult } from './find-interaction.ts';

const day_ms = 86_400_000;

export const finishConsent = operation({
  name: 'agents.finishConsent',
  title: 'Allow an agent to act',
  summary:
    'Records which tools the user allows the client of an authorization request to call. Only the browser that started the request can decide.',
  who: consentingRoles,
  input: closedObject({
    uid,
    tools: field(
      Type.Array(patternText('^[a-z_]{1,64}$', 'must be the name of a tool'), { maxItems: 100 }),
      'The tools that the user allows, from those that the client asks for.',
      ['read_profile'],
    ),
    spend_cap: field(
      nullable(Type.Number({ minimum: 0.01, maximum: spend_cap_dollars_max })),
      'The most that the agent may spend in all, in US dollars; null if it may spend nothing.',
      null,
    ),
    lifetime_days: field(Type.Enum(lifetimes_days), 'For how many days the agent may act.', 90),
  }),
  output: { 200: continueWire },
  refuses: [
    'authorization_request_not_found',
    'field_invalid',
    'grants_full',
    'recent_authentication_required',
  ],
  cookies: { reads: interaction_cookie },
  checks: [({ spend_cap }) => void (spend_cap !== null && readSpendCap(spend_cap))],
  run: (context, { uid: id, tools, spend_cap, lifetime_days }) =>
    context.transaction(async (tx) => {
      const { caller, config, now } = context;
      // Two decisions at once must not give two grants.
      await lockArtifact(tx, { kind: 'Interaction', id });
      const interaction = await findInteraction(context, tx, id);
      const { client, scope, login } = interaction;
      if (spend_cap !== null || canHarm(context.tools, tools)) requireRecentAuthentication(caller, now());
      if (isLoginTooOld(login, caller.authenticated_at))
        throw new Refusal('recent_authentication_required', {
          detail:
            'The client asks for a newer login. Call POST /auth/reauthenticate and use the new access token.',
        });
      const { grant_id, tools: granted } = await recordGrant(context, tx, {
        caller,
        client,
        asked: selectAllowableTools(context.tools, scope, caller.role),
        allowed: tools,
        spend_cap: spend_cap === null ? null : readSpendCap(spend_cap),
        lifetime_days,
      });
      const moment = now();
      await upsertArtifact(
        tx,
        { kind: 'Grant', id: grant_id },
        {
          user_id: caller.user_id,
          grant_id,
          payload: {
            kind: 'Grant',
            accountId: caller.user_id,
            clientId: client.id,
            resources: {
              [buildResource(config.publicUrl)]: joinToolScopes(granted.map((name) => ({ name }))),
            },
          },
          now: moment,
          expires_at: new Date(moment.getTime() + lifetime_days * day_ms),
        },
      );
      await recordClientUse(tx, client.id, moment);
      return storeResult(tx, interaction, moment, {
        login: { accountId: caller.user_id, ts: Math.floor(caller.authenticated_at.getTime() / 1000) },
        consent: { grantId: grant_id },
      });
    }),
});

/** Whether an agent could change something or spend money: a stolen session alone must not be enough to allow that. */
function canHarm(tools: readonly Tool[], allowed: readonly string[]): boolean {
  return tools.some(({ name, kind }) => kind !== 'read' && allowed.includes(name));
}
