import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { connectClient } from '#test/modules/oauth.ts';
import { erasePersonalData, exportPersonalData } from './personal-data.ts';

const app = await startApp({ TESSERA_RETENTION_SECONDS: '60' });

const countArtifacts = async (user_id: string) => {
  const { count } = await app.sql.one(
    sql<{ count: number }>`select count(*)::int as count from oauth_artifacts where user_id = ${user_id}`,
  );
  return count;
};

const listAccounts = ({ user_id, email }: { readonly user_id: string; readonly email: string }) => ({
  user_ids: [user_id],
  emails: [email],
});

test('an export lists what is stored of an agent’s tokens, and no secret', async () => {
  const member = await app.registerMember();
  const { refresh_token, code, grant_id } = await connectClient(app, member);
  const [artifacts] = await exportPersonalData(app.sql, member.member_id, listAccounts(member));
  expect(artifacts!.name).toBe('oauth_artifacts');
  expect(artifacts!.rows.length).toBe(await countArtifacts(member.user_id));
  const text = JSON.stringify(artifacts!.rows);
  expect(text).toContain(grant_id);
  for (const secret of [refresh_token, code]) expect(text).not.toContain(secret);
});

test('an erasure deletes the codes and tokens of one member, and those of nobody else', async () => {
  const [leaving, staying] = [await app.registerMember(), await app.registerMember()];
  for (const member of [leaving, staying]) await connectClient(app, member);
  const before = await countArtifacts(staying.user_id);
  expect(before).toBeGreaterThan(0);
  await app.sql.transaction((tx) => erasePersonalData(tx, leaving.member_id, listAccounts(leaving)));
  expect([await countArtifacts(leaving.user_id), await countArtifacts(staying.user_id)]).toEqual([0, before]);
});

test('an account with a connected agent is erased', async () => {
  const member = await app.registerMember();
  await connectClient(app, member);
  await app.request('DELETE', '/members/me', { token: member.token });
  app.clock.advance(61_000);
  await app.drainQueue();
  expect(await app.sql.list(sql`select from users where id = ${member.user_id}`)).toEqual([]);
  expect(await countArtifacts(member.user_id)).toBe(0);
});
