import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#platform/security/secrets.ts';
import { noticeKinds, type NoticeKind } from './rules.ts';

/** Whose emails stop, and which. */
export type Subscription = { readonly user_id: string; readonly scope: NoticeKind | 'all' };

const purpose = 'notifications.unsubscribe';

/** Builds the URL of one-click unsubscribing (RFC 8058), which must be https; undefined for a service without. */
export function buildUnsubscribeUrl(
  publicUrl: string,
  secrets: Pick<Secrets, 'computeHmac'>,
  subscription: Subscription,
): string | undefined {
  if (!publicUrl.startsWith('https://')) return undefined;
  return `${publicUrl}/unsubscribe/${formatUnsubscribeToken(secrets, subscription)}`;
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
