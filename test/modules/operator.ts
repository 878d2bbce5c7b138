import { expect } from 'vitest';
import { sql } from '#platform/database/database.ts';
import type { TestApp } from '../harness.ts';

/** Expects that only a platform administrator may send a request: others get 401 or 403. */
export async function expectOperatorOnly(
  app: TestApp,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const content = body === undefined ? {} : { body };
  const codes = [(await app.request(method, path, content)).body.code];
  for (const { token } of [await app.registerMember(), await app.registerOrgAdmin()])
    codes.push((await app.request(method, path, { token, ...content })).body.code);
  expect(codes).toEqual(['authentication_required', 'role_not_allowed', 'role_not_allowed']);
}

/** What the audit log says about acts, with who did them. */
export function listActs(app: TestApp, action: string, actor_user_id?: string) {
  return app.sql.list(sql`
    select actor_user_id, actor_role, member_id, org_id, detail from audit_log
    where action = ${action} and (${actor_user_id ?? null}::uuid is null or actor_user_id = ${actor_user_id ?? null}::uuid)
    order by sequence`);
}
