import type { LoggedInCaller } from '#lib/caller.ts';
import { listToolsForRole } from '#lib/tool.ts';
import { tools as registry } from '#test/tools.ts';
import { recordGrant } from '../../src/modules/access/agents/grants/record-grant.ts';
import { sql } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { VisitIds } from './visits.ts';

/** Lets two agents act for the member and one for the administrator, and registers a third that asks for everything. */
export async function createAgents(
  url: string,
  platform: Platform,
  emails: { readonly member: string; readonly org_admin: string },
): Promise<Pick<VisitIds, 'grant' | 'authorization'>> {
  const member = await findCaller(platform, emails.member);
  await allow(platform, member, { id: 'desk', name: 'Agent Desk', redirect_host: 'agent.example' });
  await allow(platform, member, { id: 'local', name: 'Editor on this computer', redirect_host: 'localhost' });
  const admin = await findCaller(platform, emails.org_admin);
  const grant = await allow(platform, admin, {
    id: 'recruiter',
    name: 'Recruiting assistant with quite a long name',
    redirect_host: 'recruiting.assistants.example',
  });
  return { grant, authorization: await registerAgent(url) };
}

async function findCaller({ database }: Platform, email: string): Promise<LoggedInCaller> {
  const { id: user_id, ...linked } = await database.one(sql<{
    id: string;
    member_id: string;
    org_id: string;
  }>`
    select id, member_id, org_id from users where email = ${email}`);
  const session = { user_id, session_id: user_id, authenticated_at: new Date() };
  return linked.member_id === null
    ? { ...session, role: 'org_admin', org_id: linked.org_id }
    : { ...session, role: 'member', member_id: linked.member_id };
}

async function allow(
  platform: Platform,
  caller: LoggedInCaller,
  client: { readonly id: string; readonly name: string; readonly redirect_host: string },
): Promise<string> {
  const tools = listToolsForRole(registry, caller.role).map(({ name }) => name);
  const { grant_id } = await platform.database.transaction((tx) =>
    recordGrant(platform, tx, {
      caller,
      client,
      asked: tools,
      allowed: tools,
      spend_cap: 20_000_000n,
      lifetime_days: 90,
    }),
  );
  return grant_id;
}

/** Registers a client. @returns the path at which it asks for all tools. */
async function registerAgent(url: string): Promise<string> {
  const redirect_uri = 'https://agent.example/callback';
  const reply = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Agent Desk',
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id } = (await reply.json()) as { client_id: string };
  const tools = [...listToolsForRole(registry, 'member'), ...listToolsForRole(registry, 'org_admin')];
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'state',
    resource: `${url}/mcp`,
    scope: [...new Set(tools.map(({ name }) => `tool:${name}`))].join(' '),
  });
  return `/oauth/authorize?${query.toString()}`;
}
