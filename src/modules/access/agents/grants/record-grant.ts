import { randomUUID } from 'node:crypto';
import type { LoggedInCaller } from '#lib/caller.ts';
import type { Micros } from '#lib/money.ts';
import { toPlainName } from '#lib/text/plain-name.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import { queueNotice } from '#modules/access/accounts';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { buildSubject, endAndRecord } from './end-grant.ts';
import { nameClient } from '../name-clients.ts';
import { computeGrantEnd, decideTerms, findDocumentHost, grants_max, type LifetimeDays } from './rules.ts';
import { countOpenGrants, insertGrant, lockGrantOfClient, renewGrant } from './store.ts';

/** What a user has decided on the consent page. */
export type Consent = {
  readonly caller: LoggedInCaller;
  readonly client: { readonly id: string; readonly name: string; readonly redirect_host: string };
  /** The tools that the client asks for. */
  readonly asked: readonly string[];
  /** Those that the user has ticked. */
  readonly allowed: readonly string[];
  /** The most that the agent may spend in all; null if it may spend nothing. */
  readonly spend_cap: Micros | null;
  readonly lifetime_days: LifetimeDays;
};

/**
 * Records that a user allows an agent to use tools. A user has one grant for a client: a further consent replaces its tools, and keeps its id and
 * what it has spent. The user receives an email if the agent is new.
 *
 * @returns the id of the grant, and the tools that it has.
 * @throws Refusal `field_invalid`, `grants_full`.
 */
export async function recordGrant(
  services: Pick<Services, 'now' | 'queue' | 'secrets' | 'tools' | 'config'>,
  tx: Transaction,
  consent: Consent,
): Promise<{ readonly grant_id: string; readonly tools: readonly string[] }> {
  const now = services.now();
  const { caller, client, asked, allowed, spend_cap, lifetime_days } = consent;
  const { user_id, role } = caller;
  const terms = decideTerms(services.tools, { role, asked, allowed, spend_cap });
  const known = await lockGrantOfClient(tx, { user_id, client_id: client.id, now });
  const { name, is_named } = await nameClient(services, tx, { ...client, name: toPlainName(client.name) });
  const details = {
    ...terms,
    client_name: name,
    redirect_host: client.redirect_host,
    expires_at: computeGrantEnd(lifetime_days, now),
  };
  const id = known?.is_open ? known.id : randomUUID();
  if (known?.is_open) await renewGrant(tx, { id, ...details, now });
  else {
    if (known) await endAndRecord(services, tx, known, caller);
    if ((await countOpenGrants(tx, { user_id, now })) >= grants_max) throw new Refusal('grants_full');
    await insertGrant(tx, { id, user_id, client_id: client.id, ...details, created_at: now });
    await queueNotice(
      services,
      tx,
      user_id,
      'agent_allowed',
      describeClient(client.id, { ...details, is_named }),
    );
  }
  const action = known?.is_open ? 'grants.changed' : 'grants.allowed';
  const detail = { grant_id: id, tools: terms.tools.length };
  await recordAudit(tx, { now, actor: caller, action, ...buildSubject(caller), detail });
  return { grant_id: id, tools: terms.tools };
}

/** Addresses of the device itself, which mean nothing to a person. */
const loopback = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)(?::\d+)?$/;

function describeClient(
  id: string,
  {
    client_name,
    is_named,
    redirect_host,
  }: { readonly client_name: string; readonly is_named: boolean; readonly redirect_host: string },
): string {
  const publisher = findDocumentHost(id);
  const parts = [
    is_named ? `calls itself ${client_name}` : 'has no name that could be shown',
    ...(publisher === null ? [] : [`is published by ${toPlainName(publisher)}`]),
  ];
  const place = loopback.test(redirect_host)
    ? 'a program on the device that you used'
    : toPlainName(redirect_host);
  return `It ${parts.join(', ')} and sent you back to ${place}.`;
}
