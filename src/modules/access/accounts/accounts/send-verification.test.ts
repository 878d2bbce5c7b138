import { describe, expect, it, vi } from 'vitest';
import { sql } from '#platform/database/database.ts';
import type { TaskContext } from '#platform/queue/task.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { sendVerification } from './send-verification.ts';

const app = await startApp();

async function run(mailed_token_id: string) {
  const send = vi.fn<(mail: { to: string; subject: string; text: string }) => Promise<void>>(
    async () => undefined,
  );
  const context = {
    ...app.platform,
    now: app.clock.now,
    mailer: { ...app.platform.mailer, send },
  } as unknown as TaskContext;
  await sendVerification.run(context, { mailed_token_id, purpose: 'verify_email' });
  return send.mock.calls.map(([mail]) => mail);
}

async function findTokenId(user_id: string): Promise<string> {
  return (await app.sql.one(sql<{ id: string }>`select id from mailed_tokens where user_id = ${user_id}`)).id;
}

describe('the task that emails the verification link', () => {
  it('emails the same link if it runs again after a crash', async () => {
    const { user_id, email } = await app.registerMember();
    const id = await findTokenId(user_id);
    const [first, second] = [await run(id), await run(id)];
    expect(first).toHaveLength(1);
    expect(first[0]!.to).toBe(email);
    expect(second).toEqual(first);
  });

  it('emails nothing if the address is verified, the link has expired, or the user does not exist', async () => {
    const { user_id } = await app.registerMember();
    const other = await app.registerMember();
    const id = await findTokenId(user_id);
    await app.sql.run(sql`update users set email_verified_at = ${app.clock.now()} where id = ${user_id}`);
    expect(await run(id)).toEqual([]);
    app.clock.advance(24 * 3_600_000);
    expect(await run(await findTokenId(other.user_id))).toEqual([]);
    expect(await run(unknownId)).toEqual([]);
  });
});
