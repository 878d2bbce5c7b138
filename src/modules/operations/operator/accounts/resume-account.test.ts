import { describe, expect, it } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';

const app = await startApp();

const send = (token: string, user_id: string, act: 'suspend' | 'resume' = 'suspend') =>
  app.request('POST', `/operator/users/${user_id}/${act}`, { token, body: {} });
const readCode = async (token: string) => (await app.request('GET', '/auth/me', { token })).body.code;

describe('lifting a suspension', () => {
  it('lets the user log in again, and leaves the old sessions ended', async () => {
    const operator = await app.registerPlatformAdmin();
    const { user_id, member_id, token, email, password } = await app.registerMember();
    await send(operator.token, user_id);
    const { body } = await send(operator.token, user_id, 'resume');
    expect(body).toEqual({ user_id, suspended: false });
    expect(await readCode(token)).toBe('token_invalid');
    expect((await app.request('POST', '/auth/login', { body: { email, password } })).status).toBe(200);
    expect(await listActs(app, 'auth.account_resumed', operator.user_id)).toMatchObject([{ member_id }]);
  });

  it('is refused for an unknown user, and for others than the operator', async () => {
    const { token } = await app.registerPlatformAdmin();
    expect((await send(token, unknownId, 'resume')).body.code).toBe('user_not_found');
    await expectOperatorOnly(app, 'POST', `/operator/users/${unknownId}/resume`, {});
  });
});
