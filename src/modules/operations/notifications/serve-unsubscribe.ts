import { Refusal } from '#lib/refusal.ts';
import type { OriginHandler, OriginOptions } from '#platform/http/origin-routes.ts';
import { defaultSettings, noticeKinds } from './rules.ts';
import { hasUser, lockSettings, updateSettings } from './store.ts';
import { readUnsubscribeToken } from './unsubscribe-token.ts';

/** Mail programs may send the body as a form or as multipart (RFC 8058 section 3.2). The URL says everything, so it is not read. */
export const unsubscribeOptions: OriginOptions = { body: 'bytes', body_bytes_max: 4096 };

/**
 * Stops the emails that a mail's `List-Unsubscribe` header names, with one request and without a login (RFC 8058).
 *
 * @throws Refusal `unsubscribe_token_invalid`.
 */
export const serveUnsubscribe: OriginHandler = async ({ database, secrets, now }, { params }) => {
  const subscription = readUnsubscribeToken(secrets, params['token'] ?? '');
  if (!subscription) throw new Refusal('unsubscribe_token_invalid');
  const { user_id, scope } = subscription;
  const kinds = scope === 'all' ? noticeKinds : [scope];
  const settings = Object.fromEntries(kinds.map((kind) => [kind, 'never']));
  await database.transaction(async (tx) => {
    if (!(await hasUser(tx, user_id))) return;
    const before = await lockSettings(tx, user_id, defaultSettings, now());
    await updateSettings(tx, user_id, { ...before, ...settings }, now());
  });
  return {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    content: 'These emails have stopped.\n',
  };
};
