import type { LoggedInCaller } from '#lib/caller.ts';
import type { TestApp } from '#test/harness.ts';
import type { TestMember, TestOrgUser } from '#test/users.ts';
import { recordGrant, type Consent } from '../../src/modules/access/agents/grants/record-grant.ts';

export { findLiveGrant } from '../../src/modules/access/agents/grants/find-live-grant.ts';

type Changes = Partial<Omit<Consent, 'caller'>>;

/** Lets an agent act for a user, as the consent page does. @returns the id of the grant. */
export async function allowAgent(
  app: TestApp,
  user: TestMember | TestOrgUser,
  changes: Changes = {},
): Promise<string> {
  const { grant_id } = await app.sql.transaction((tx) =>
    recordGrant(app.platform, tx, { ...buildConsent(app, user), ...changes }),
  );
  return grant_id;
}

/** A member allows reading and changing the profile, an administrator reading jobs and buying archetypes. */
export function buildConsent(app: TestApp, user: TestMember | TestOrgUser): Consent {
  const tools = 'member_id' in user ? ['read_profile', 'update_profile'] : ['list_jobs', 'query_archetype'];
  return {
    caller: buildCaller(app, user),
    client: { id: 'client-of-tests', name: 'Agent Desk', redirect_host: 'agent.example' },
    asked: tools,
    allowed: tools,
    spend_cap: 5_000_000n,
    lifetime_days: 90,
  };
}

export function buildCaller(app: TestApp, user: TestMember | TestOrgUser): LoggedInCaller {
  const session = {
    user_id: user.user_id,
    session_id: user.user_id,
    authenticated_at: app.clock.now(),
  };
  return 'member_id' in user
    ? { ...session, role: 'member', member_id: user.member_id }
    : { ...session, role: 'org_admin', org_id: user.org_id };
}
