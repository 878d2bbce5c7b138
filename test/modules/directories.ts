import { randomUUID } from 'node:crypto';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '../colleague.ts';
import type { TestApp } from '../harness.ts';
import type { TestOrgUser } from '../users.ts';
import { createServiceKey } from './service-keys.ts';
import { createOperatorOrganisation } from './sso.ts';

/** A reply of the SCIM endpoint. */
export type ScimReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // Tests read replies of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
};

/** A directory: an organisation with its service key. `send` calls below `/scim/v2`. */
export type TestDirectory = {
  readonly admin: TestOrgUser;
  readonly org_id: string;
  readonly key: string;
  readonly key_id: string;
  readonly send: (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<ScimReply>;
};

/** Calls the SCIM endpoint with an Authorization header, or without one. */
export async function sendScim(
  app: TestApp,
  authorization: string | undefined,
  ...[method, path, body, headers]: Parameters<TestDirectory['send']>
): Promise<ScimReply> {
  const response = await app.server.inject({
    method,
    url: `/scim/v2${path}`,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/scim+json; charset=utf-8' }),
      ...headers,
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  const { statusCode: status, payload } = response;
  return { status, headers: response.headers, body: payload === '' ? undefined : JSON.parse(payload) };
}

/** Creates an organisation of the tier that has single sign-on, with a key for its directory. */
export async function createDirectory(app: TestApp): Promise<TestDirectory> {
  const admin = await createOperatorOrganisation(app);
  const permissions = ['SCIM /scim/v2'];
  const { key, id: key_id } = await createServiceKey(app, admin.token, { name: 'Directory', permissions });
  const send: TestDirectory['send'] = (...request) => sendScim(app, `Bearer ${key}`, ...request);
  return { admin, org_id: admin.org_id, key, key_id, send };
}

export const user_schema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise_schema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

let users = 0;

/** Builds a user as Entra ID sends one. */
export function buildEntraUser(more: Readonly<Record<string, unknown>> = {}) {
  const name = `person-${users++}`;
  return {
    schemas: [user_schema, enterprise_schema],
    externalId: `entra-${name}`,
    userName: `${name}@harbour.example`,
    active: true,
    displayName: 'Noor Haddad',
    emails: [{ primary: true, type: 'work', value: `${name}@harbour.example` }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Noor Haddad', familyName: 'Haddad', givenName: 'Noor' },
    roles: [],
    [enterprise_schema]: { department: 'Wards', employeeNumber: '7' },
    ...more,
  };
}

/** Builds a PATCH. */
export function buildPatch(...Operations: readonly object[]) {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations };
}

/** Stores a group without members, as if a directory had sent it. @returns its id. */
export async function createStoredGroup(app: TestApp, org_id: string): Promise<string> {
  const id = randomUUID();
  const now = app.clock.now();
  await app.sql.run(sql`
    insert into directory_groups (id, org_id, display_name, version, created_at, changed_at)
    values (${id}, ${org_id}, ${`Group ${id}`}, 1, ${now}, ${now})`);
  return id;
}

export const group_schema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

let groups = 0;

/** Creates a directory of a new organisation, with what tests of its groups ask it. */
export async function createGroupsFixture(app: TestApp) {
  const directory = await createDirectory(app);
  const { send, admin } = directory;
  return {
    ...directory,
    createGroup: (members: readonly string[] = []) => createGroup(send, members),
    createUser: async () => (await send('POST', '/Users', buildEntraUser())).body.id as string,
    patch: (id: string, ...operations: readonly object[]) =>
      send('PATCH', `/Groups/${id}`, buildPatch(...operations)),
    listMembers: async (id: string) =>
      ((await send('GET', `/Groups/${id}`)).body.members as { value: string }[]).map(({ value }) => value),
    readRole: async (id: string) => (await send('GET', `/Users/${id}`)).body.roles[0].value as string,
    setRole: (id: string, role: string | null, token: string = admin.token) =>
      app.request('PUT', `/orgs/me/directory-groups/${id}/role`, { token, body: { role } }),
  };
}

/** Creates a group as Entra ID does. */
async function createGroup(send: TestDirectory['send'], members: readonly string[]) {
  const displayName = `Group ${groups++}`;
  const { status, body } = await send('POST', '/Groups', {
    schemas: [group_schema],
    externalId: `ext-${displayName}`,
    displayName,
    members: members.map((value) => ({ value })),
    meta: { resourceType: 'Group' },
  });
  if (status !== 201) throw new Error(`the group gave status ${status}: ${JSON.stringify(body)}`);
  return body as { id: string; displayName: string; members: { value: string }[] };
}

/** Sends a request without a key, and as a viewer of the organisation. @returns both statuses. */
export async function sendWithoutRights(
  app: TestApp,
  org_id: string,
  ...request: Parameters<TestDirectory['send']>
): Promise<readonly number[]> {
  const viewer = await createColleague(app, org_id);
  const replies = [
    await sendScim(app, undefined, ...request),
    await sendScim(app, `Bearer ${viewer.token}`, ...request),
  ];
  return replies.map(({ status }) => status);
}
