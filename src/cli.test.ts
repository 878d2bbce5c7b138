import { expect, test } from 'vitest';
import { rotateSigningKeys } from './cli.ts';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';

test('new signing keys are in the audit log, by their ids', async () => {
  const app = await startApp();
  const { ES256, RS256 } = await rotateSigningKeys(app.platform);
  const audited = await app.sql.list(
    sql`select actor_user_id, detail from audit_log where action = 'keys.rotated'`,
  );
  expect(audited).toEqual([{ actor_user_id: null, detail: { es256: ES256, rs256: RS256 } }]);
});
