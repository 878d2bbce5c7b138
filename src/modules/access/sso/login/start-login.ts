import { randomBytes } from 'node:crypto';
import { buildLoginAddress } from '@tessera/saml';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { isSuspendedOrganisation } from '#modules/organisations/orgs';
import { operation, redirect, reply, type Context } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import {
  relay_state_characters_max,
  relayStatePattern,
  request_minutes,
  buildServiceProvider,
  toIdentityProvider,
} from '../rules.ts';
import { buildOpenidAddress } from '../openid/build-openid-address.ts';
import { insertRequest } from '../store.ts';
import { buildBrowserCookie } from './browser-cookie.ts';
import { findEnabledProtocol, type EnabledProtocol } from './find-enabled-protocol.ts';

export const startLogin = operation({
  name: 'sso.startLogin',
  title: 'Start a login by SSO',
  summary: 'Starts a login: redirects a browser to the identity provider of an organisation.',
  who: 'anyone',
  input: closedObject({
    org_id: uuid,
    relay_state: Type.Optional(
      Type.String({
        maxLength: relay_state_characters_max,
        pattern: relayStatePattern,
        description: 'The path on this origin to which the browser is redirected after the login.',
        examples: ['/jobs'],
      }),
    ),
  }),
  output: { 302: redirect() },
  refuses: ['sso_not_configured', 'organisation_suspended', 'sso_provider_unavailable'],
  cookies: { reads: 'sso_browser', sets: ['sso_browser'] },
  writes_on_read: 'The request of the login, which its answer must name.',
  run: async (context, { org_id, relay_state = '' }) => {
    const enabled = await findEnabledProtocol(context.database, org_id);
    if (!enabled) throw new Refusal('sso_not_configured');
    if (await isSuspendedOrganisation(context.database, org_id)) throw new Refusal('organisation_suspended');
    const id = `_${randomBytes(16).toString('hex')}`;
    const location = await buildAddress(context, enabled, { id, relay_state });
    const { cookie, browser_hash } = buildBrowserCookie(context.request);
    const expires_at = new Date(context.now().getTime() + request_minutes * 60_000);
    await context.transaction((tx) => insertRequest(tx, { id, org_id, browser_hash, expires_at }));
    return reply(302, { location }, [cookie]);
  },
});

function buildAddress(
  context: Context<never>,
  { protocol, configuration }: EnabledProtocol,
  login: { readonly id: string; readonly relay_state: string },
): Promise<string> {
  if (protocol === 'openid') return buildOpenidAddress(context, configuration, login);
  const service = buildServiceProvider(context.config.publicUrl, configuration.org_id);
  return buildLoginAddress(login.id, login.relay_state, toIdentityProvider(configuration), service);
}
