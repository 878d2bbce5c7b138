import { describeBrowser } from '#lib/text/describe-browser.ts';
import type { RefusalCode } from '#lib/refusals.ts';
import { recordAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import { toNetwork } from '#platform/limits/rate-limits.ts';
import type { RequestFacts } from '#platform/operation.ts';
import type { Services } from '#platform/platform.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { queueNotice } from '../send-notice.ts';
import type { User } from '../store.ts';
import { listSessionOrigins, type SessionOrigin } from './store.ts';

/** What a user has proven by a login: `code` and `recovery_code` come after the password. */
export type Factor = 'password' | 'code' | 'recovery_code' | 'passkey' | 'sso';

/** The factors that count as two: a passkey needs the device and its lock. */
export const mfaFactors: ReadonlySet<Factor> = new Set(['code', 'recovery_code', 'passkey']);

type LoginContext = Pick<Services, 'config' | 'queue' | 'now' | 'secrets'> & {
  readonly request: Pick<RequestFacts, 'address' | 'user_agent'>;
};

const origins_max = 500;

/** Records a login in the audit log, and informs the user by email if it came from a device or a network without a stored session. */
export async function recordLogin(
  context: LoginContext,
  tx: Transaction,
  user: Pick<User, 'id' | 'role' | 'linked_entity_id' | 'created_at'>,
  factor: Factor,
): Promise<void> {
  await recordAudit(tx, {
    now: context.now(),
    actor: { user_id: user.id, role: user.role },
    action: factor === 'sso' ? 'sso.logged_in' : 'auth.logged_in',
    ...buildAuditSubject(user),
    ...(factor !== 'sso' && { detail: { factor } }),
  });
  const origins = await listSessionOrigins(tx, user.id, origins_max);
  if (isUnknownDevice(context, user, origins))
    await queueNotice(context, tx, user.id, 'new_device', describeDevice(context.request));
}

type FailedLogin = {
  readonly now: Date;
  /** Undefined for a name without an account. */
  readonly user: Pick<User, 'id' | 'role' | 'linked_entity_id'> | undefined;
  readonly detail: { readonly factor: Factor; readonly reason?: RefusalCode };
};

/** Records a login or a confirmation that was refused. Nobody has proven to be the user, so the entry names no actor. */
export function recordFailedLogin(tx: Transaction, { now, user, detail }: FailedLogin): Promise<void> {
  return recordAudit(tx, {
    now,
    actor: null,
    action: 'auth.login_failed',
    ...(user && buildAuditSubject(user)),
    detail: { ...detail, ...(user && { user_id: user.id }) },
  });
}

/** A young account without sessions was created by others, such as the operator, and this is its first login. */
function isUnknownDevice(
  { config, now, request }: LoginContext,
  { created_at }: Pick<User, 'created_at'>,
  origins: readonly SessionOrigin[],
): boolean {
  const kept_ms = config.token.refresh_days * 86_400_000;
  if (origins.length === 0) return now().getTime() - created_at.getTime() >= kept_ms;
  const [network, kind] = [toNetwork(request.address), toKind(request.user_agent)];
  return !origins.some(
    ({ address, user_agent }) => toNetwork(address) === network && toKind(user_agent) === kind,
  );
}

/** A browser that was updated is the same device. */
function toKind(user_agent: string | null | undefined): string {
  return (user_agent ?? '').replaceAll(/[\d._]+/g, '');
}

/** Repeats nothing of the header itself, which a stranger could fill with a text of their own. */
function describeDevice({ address, user_agent }: LoginContext['request']): string {
  const known = describeBrowser(user_agent ?? null);
  const device = known ? `${known.browser} on ${known.system}` : 'a device that does not name itself';
  return `It was ${device}, at the network address ${address}.`;
}
