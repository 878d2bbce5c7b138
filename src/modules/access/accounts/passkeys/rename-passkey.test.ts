import { expect, it } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { addTestPasskey } from '#test/modules/passkeys.ts';

const app = await startApp();

const list = (token?: string) =>
  app.request('GET', '/auth/passkeys', { ...(token !== undefined && { token }) });
const rename = (id: string, body: object, token?: string) =>
  app.request('PATCH', `/auth/passkeys/${id}`, { body, ...(token !== undefined && { token }) });

it('a passkey gets another name, unless it belongs to another user, or the name is not one', async () => {
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  const { id } = await addTestPasskey(app, member);
  const { status, body } = await rename(id, { name: ' Old phone ' }, member.token);
  expect([status, body.name]).toEqual([200, 'Old phone']);
  for (const { body: problem } of [
    await rename(id, { name: 'Mine' }, other.token),
    await rename(unknownId, { name: 'Mine' }, member.token),
  ])
    expect(problem.code).toBe('passkey_not_found');
  for (const name of ['', '  ', 7, 'x'.repeat(61)])
    expect((await rename(id, { name }, member.token)).body.code).toBe('field_invalid');
  expect((await rename(id, { name: 'Mine' })).status).toBe(401);
  expect((await list(member.token)).body.data[0].name).toBe('Old phone');
});
