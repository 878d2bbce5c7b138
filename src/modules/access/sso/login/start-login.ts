import { randomBytes } from 'node:crypto';
import { buildLoginAddress } from '@tessera/saml';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { isSuspendedOrganisation } from '#modules/organisations/orgs';
import { operation, redirect, reply } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import {
  relay_state_characters_max,
  relayStatePattern,
  request_minutes,
  buildServiceProvider,
  toIdentityProvider,
} from '../rules.ts';
import { findConfiguration, insertRequest } from '../store.ts';
import { buildBrowserCookie } from './browser-cookie.ts';

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
  refuses: ['sso_not_configured', 'organisation_suspended'],
  cookies: { reads: 'sso_browser', sets: ['sso_browser'] },
  writes_on_read: 'The request of the login, which its answer must name.',
  run: async (context, { org_id, relay_state = '' }) => {
    const configuration = await findConfiguration(context.database, org_id);
    if (!configuration?.enabled) throw new Refusal('sso_not_configured');
    if (await isSuspendedOrganisation(context.database, org_id)) throw new Refusal('organisation_suspended');
    const id = `_${randomBytes(16).toString('hex')}`;
    const { cookie, browser_hash } = buildBrowserCookie(context.request);
    const expires_at = new Date(context.now().getTime() + request_minutes * 60_000);
    await context.transaction((tx) => insertRequest(tx, { id, org_id, browser_hash, expires_at }));
    const service = buildServiceProvider(context.config.publicUrl, org_id);
    const location = await buildLoginAddress(id, relay_state, toIdentityProvider(configuration), service);
    return reply(302, { location }, [cookie]);
  },
});
