import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { rotateSigningKeys } from './cli.ts';

test('a rotation records the ids of the new signing keys in the audit log', async () => {
  const app = await startApp();
  const { ES256, RS256 } = await rotateSigningKeys(app.platform);
  const entries = await app.sql.list(
    sql`select actor_user_id, detail from audit_log where action = 'keys.rotated'`,
  );
  expect(entries).toEqual([{ actor_user_id: null, detail: { es256: ES256, rs256: RS256 } }]);
});
