import { timingSafeEqual } from 'node:crypto';
import type { Recipient } from '#modules/operations/mail';
import type { Services } from '#platform/platform.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { noticeKinds, type NoticeKind } from './rules.ts';

/** Whose emails stop, and which. */
export type Subscription = { readonly user_id: string; readonly scope: NoticeKind | 'all' };

const purpose = 'notifications.unsubscribe';

/** Adds the URL of one-click unsubscribing (RFC 8058) to a recipient. It must be https, so a service without has none. */
export function addUnsubscribeUrl(
  { config, secrets }: Pick<Services, 'config' | 'secrets'>,
  { email, name }: Recipient,
  subscription: Subscription,
): Recipient {
  if (!config.publicUrl.startsWith('https://')) return { email, name };
  const unsubscribe_url = `${config.publicUrl}/unsubscribe/${formatUnsubscribeToken(secrets, subscription)}`;
  return { email, name, unsubscribe_url };
}

/** Formats a token that stops some emails of one user and does nothing else. It needs no storage and does not expire. */
function formatUnsubscribeToken(
  secrets: Pick<Secrets, 'computeHmac'>,
  { user_id, scope }: Subscription,
): string {
  const mac = secrets.computeHmac(purpose, `${user_id}.${scope}`).toString('base64url');
  return `${user_id}.${scope}.${mac}`;
}

/** Reads a token; undefined if this service did not issue it. */
export function readUnsubscribeToken(
  secrets: Pick<Secrets, 'computeHmac'>,
  token: string,
): Subscription | undefined {
  const [user_id = '', name] = token.split('.', 2);
  const scope = (['all', ...noticeKinds] as const).find((each) => each === name);
  if (scope === undefined) return undefined;
  const expected = Buffer.from(formatUnsubscribeToken(secrets, { user_id, scope }));
  const given = Buffer.from(token);
  return expected.length === given.length && timingSafeEqual(expected, given)
    ? { user_id, scope }
    : undefined;
}
