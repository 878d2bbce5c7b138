import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { connectClient } from '#test/modules/oauth.ts';

const app = await startApp();
const member = await app.registerMember();

test('a client gets tokens for the tools that a person has allowed', async () => {
  const connection = await connectClient(app, member, { decision: { tools: ['read_profile'] } });
  expect(connection).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'tool:read_profile' });
  const { status } = await app.request('GET', `/members/${member.member_id}`, {
    token: connection.access_token,
  });
  expect(status).toBe(200);
});
