import { inflateRawSync } from 'node:zlib';
import {
  buildResponseXml,
  domain,
  idp,
  signXml,
  type ResponseContent,
  type ServiceAddresses,
} from '@tessera/saml/testing';
import { setTier } from '#modules/organisations/orgs';
import type { TestReply, TestRequest, TestApp } from '#test/harness.ts';
import type { TestOrgUser } from '#test/users.ts';

/** Builds the body of a configuration with the identity provider. */
export function buildConfigurationBody(more: Readonly<Record<string, unknown>> = {}) {
  return {
    idp_entity_id: idp.entity_id,
    idp_sso_url: idp.sso_url,
    idp_certificates: [idp.identity.certificate],
    email_domains: [domain],
    ...more,
  };
}

/** Creates an organisation of tier E3 Operator. */
export async function createOperatorOrganisation(app: TestApp): Promise<TestOrgUser> {
  const admin = await app.registerOrgAdmin();
  await setTier(app.platform, { org: admin.org_id, tier: 'E3 Operator' });
  return admin;
}

export type SsoOrganisation = ServiceAddresses & { readonly admin: TestOrgUser; readonly org_id: string };

/** Creates an organisation whose users log in through the identity provider. */
export async function createSsoOrganisation(
  app: TestApp,
  more: Readonly<Record<string, unknown>> = {},
): Promise<SsoOrganisation> {
  const admin = await createOperatorOrganisation(app);
  const { org_id, token } = admin;
  const response = await app.request('POST', `/orgs/${org_id}/sso/configure`, {
    token,
    body: buildConfigurationBody(more),
  });
  if (response.status !== 200)
    throw new Error(`the configuration gave status ${response.status}: ${JSON.stringify(response.body)}`);
  const { sp_entity_id: sp, acs_url: acs } = response.body as { sp_entity_id: string; acs_url: string };
  return { admin, org_id, sp, acs };
}

/** Starts a login. @returns the address, the decoded request, its id and the cookies. */
export async function startSsoLogin(app: TestApp, { org_id }: SsoOrganisation, relay_state?: string) {
  const query = relay_state === undefined ? '' : `?relay_state=${encodeURIComponent(relay_state)}`;
  const { status, headers, cookies } = await app.request('GET', `/auth/sso/${org_id}/login${query}`);
  if (status !== 302) throw new Error(`the login gave status ${status}`);
  const address = new URL(String(headers['location']));
  const request = inflateRawSync(Buffer.from(address.searchParams.get('SAMLRequest')!, 'base64')).toString();
  return { address, request, id: / ID="(_[0-9a-f]{32})"/.exec(request)![1]!, cookies };
}

/** Posts a response: with an Origin header like a browser, without one like another client. */
export function postResponse(
  app: TestApp,
  { org_id }: SsoOrganisation,
  xml: string | { readonly raw: string },
  { relay_state, ...request }: TestRequest & { readonly relay_state?: string } = {},
): Promise<TestReply> {
  const form = new URLSearchParams({
    SAMLResponse: typeof xml === 'string' ? Buffer.from(xml).toString('base64') : xml.raw,
    ...(relay_state !== undefined && { RelayState: relay_state }),
  });
  return app.request('POST', `/auth/sso/${org_id}/acs`, {
    ...request,
    raw: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...request.headers },
  });
}

/** Completes a login with a signed assertion of the given content. */
export async function completeSsoLogin(
  app: TestApp,
  organisation: SsoOrganisation,
  content: ResponseContent = {},
): Promise<TestReply> {
  const { id } = await startSsoLogin(app, organisation);
  const xml = buildResponseXml(organisation, app.clock.now(), { in_response_to: id, ...content });
  return postResponse(app, organisation, signXml(xml, 'Assertion'));
}
