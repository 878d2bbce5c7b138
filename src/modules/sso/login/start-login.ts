import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { operation, redirect, reply } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { buildBrowserCookie } from './browser-cookie.ts';
import {
  relay_state_characters_max,
  relayStatePattern,
  request_minutes,
  buildServiceProvider,
} from '../rules.ts';
import { findConfiguration, insertRequest } from '../store.ts';
import { buildLoginAddress } from '../saml/verify-response.ts';

export const startLogin = operation({
  name: 'sso.startLogin',
  summary: 'Sends a browser to the identity provider of an organisation, with a request to sign somebody in.',
  who: 'anyone',
  input: Type.Object(
    {
      org_id: uuid,
      relay_state: Type.Optional(
        Type.String({
          maxLength: relay_state_characters_max,
          pattern: relayStatePattern,
          description: 'The path of this origin where the browser is to go when it is signed in.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: { 302: redirect() },
  refuses: ['sso_not_configured'],
  run: async (context, { org_id, relay_state = '' }) => {
    const configuration = await findConfiguration(context.database, org_id);
    if (!configuration?.enabled) throw new Refusal('sso_not_configured');
    const id = `_${randomBytes(16).toString('hex')}`;
    const { cookie, browser_hash } = buildBrowserCookie(context.request);
    const expires_at = new Date(context.now().getTime() + request_minutes * 60_000);
    await context.transaction((tx) => insertRequest(tx, { id, org_id, browser_hash, expires_at }));
    const service = buildServiceProvider(context.config.publicUrl, org_id);
    return reply(302, { location: await buildLoginAddress(id, relay_state, configuration, service) }, [
      cookie,
    ]);
  },
});
