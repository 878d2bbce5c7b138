import { buildConfigurationBody } from './modules/sso.ts';
import { unknownId, type TestApp, type TestReply } from './harness.ts';
import { selfAttestedDraft } from './modules/credentials.ts';
import { listPlaces } from './wire-schemas.ts';
import { findFieldLocation, listPathFields, type Row } from '#platform/http/row.ts';

/** `GET /auth/me`: the key of a row in the tables of the tests. */
export function formatRowName({ method, path }: Row): string {
  return `${method} ${path}`;
}

/** The fields of a row that name an object: those that are UUIDs, in its path, query or body. Operations test what is deeper in a body. */
export function listIdFields({ operation }: Row): readonly string[] {
  return listPlaces(operation.input)
    .filter(({ name, schema }) => schema['format'] === 'uuid' && name in operation.input.properties)
    .map(({ name }) => name);
}

/** Sends the smallest request of a row: its path fields, an unknown id where none is given, and the other fields that are given. */
export function sendRow(
  app: TestApp,
  row: Row,
  fields: Readonly<Record<string, string>>,
  token: string | undefined,
): Promise<TestReply> {
  const inPath = listPathFields(row.path);
  const others = Object.entries(fields).filter(([name]) => !inPath.includes(name));
  const path = row.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => fields[name] ?? pathTexts[name] ?? unknownId,
  );
  const inQuery = findFieldLocation(row) === 'query';
  const query = inQuery && others.length > 0 ? `?${String(new URLSearchParams(others))}` : '';
  const { properties } = row.operation.input as { readonly properties: Readonly<Record<string, object>> };
  const inBody = others.map(([name, id]) => [name, 'items' in properties[name]! ? [id] : id]);
  const body = { ...requiredContents[formatRowName(row)], ...(!inQuery && Object.fromEntries(inBody)) };
  return app.request(row.method, path + query, {
    ...(token !== undefined && { token }),
    ...(row.method !== 'GET' && { body }),
  });
}

/** Path fields that do not name objects by their id. */
const pathTexts: Readonly<Record<string, string>> = { domain: 'harbour.example', tool: 'read_profile' };

/** The required fields of bodies: the service reads them before it looks for the object. */
const requiredContents: Readonly<Record<string, object>> = {
  'POST /operator/item-findings/{finding_id}/decide': { decision: 'dismiss' },
  'POST /operator/top-ups': { reference: 'INV-1', amount: 5 },
  'PUT /matches/{match_id}/status': { status: 'org_interested' },
  'POST /orgs/me/jobs/{job_id}/decisions': { match_ids: [unknownId], status: 'org_passed' },
  'POST /matches/{match_id}/response': { decision: 'accept' },
  'POST /matches/{match_id}/outcome': { outcome: 'placed' },
  'POST /matches/{match_id}/outcome/correction': { placed_at: '2026-03-01T09:00:00.000Z', reason: 'Wrong.' },
  'POST /orgs/me/credentials': {
    credential_type: 'org_validation',
    match_id: unknownId,
    claims: { statement: 'Fine.' },
  },
  'POST /orgs/me/credentials/{offer_id}/revoke': { reason: 'Wrong.' },
  'POST /members/me/credential-offers/{offer_id}': { decision: 'decline' },
  'POST /members/me/invitations/{invitation_id}': { decision: 'decline' },
  'POST /orgs/me/jobs/{job_id}/invitations': { email: 'kim.olsen@example.net' },
  'POST /matches/{match_id}/review/answer': { outcome: 'upheld', answer: 'We have looked again.' },
  'POST /matches/{match_id}/feedback': { stage_days: 30, overall_rating: 4 },
  'PUT /orgs/me/jobs/{job_id}/following': { following: true },
  'POST /orgs/{org_id}/sso/configure': buildConfigurationBody(),
  'PUT /orgs/{org_id}/sso/openid': {
    issuer: 'https://idp.example',
    client_id: 'a',
    client_secret: 'b',
    email_domains: ['harbour.example'],
  },
  'PATCH /orgs/me/users/{user_id}': { role: 'auditor' },
  'PUT /orgs/me/directory-groups/{group_id}/role': { role: 'auditor' },
  'PATCH /auth/passkeys/{passkey_id}': { name: 'Phone' },
  'POST /credentials/issue': selfAttestedDraft,
  'POST /orgs/queries/credential': { member_id: unknownId, data_type: 'archetype' },
  'POST /marketplace/transactions': {
    member_id: unknownId,
    org_id: unknownId,
    data_type: 'archetype',
    price_aud: 1,
  },
  'PATCH /auth/grants/{grant_id}': { spend_cap: 1 },
  'PUT /orgs/me/service-keys/{service_key_id}/public-key': {
    public_key: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
  },
  'PUT /operator/service-keys/{service_key_id}/public-key': {
    public_key: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
  },
  'POST /webhooks/streams/{subscription_id}/outcomes': {
    outcomes: [{ delivery_id: unknownId, attempt: 0, response_status: 200, duration_ms: 1 }],
  },
  'PATCH /webhooks/{subscription_id}': { is_active: true },
  'POST /webhooks/{subscription_id}/recover': { since: '2026-03-02T09:00:00.000Z' },
  'PATCH /operator/organisations/{org_id}': { tier: 'E2 Builder' },
  'POST /operator/queue/retry': { task: 'accounts.sendNotice' },
  'PUT /credentials/{credential_id}/visibility': { visibility: 'private' },
};
