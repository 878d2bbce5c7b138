import type { TestApp } from '../harness.ts';
import { unknownId } from '../harness.ts';

/** Lets a task fail for good: a notice whose encrypted address cannot be read fails at each attempt. */
export async function failNotice(app: TestApp): Promise<void> {
  await app.sql.transaction((tx) =>
    app.platform.queue.send(
      tx,
      { name: 'accounts.sendNotice', retry_seconds: [], run: async () => undefined },
      { user_id: unknownId, email_sealed: 'AAAA', notice: 'mfa_enabled', at: 'now' },
    ),
  );
  await app.drainQueue();
}
