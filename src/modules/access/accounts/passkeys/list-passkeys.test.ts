import { expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { addTestPasskey } from '#test/modules/passkeys.ts';

const app = await startApp();

const list = (token?: string) =>
  app.request('GET', '/auth/passkeys', { ...(token !== undefined && { token }) });

it('a user lists their passkeys, oldest first, and no others', async () => {
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  await addTestPasskey(app, member, { name: 'Phone' });
  app.clock.advance(1_000);
  await addTestPasskey(app, member, { name: 'Key' });
  await addTestPasskey(app, other, { name: 'Laptop' });
  const { status, body } = await list(member.token);
  expect([status, body.data.map(({ name }: { name: string }) => name)]).toEqual([200, ['Phone', 'Key']]);
  expect((await list()).status).toBe(401);
});
