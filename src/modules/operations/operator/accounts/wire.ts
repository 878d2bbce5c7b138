import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { closedObject, field, nullable, timestamp, uuid, toReply } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import type { accountSearch } from '#modules/access/accounts';
import { accountStatuses, judgeStatus } from './rules.ts';

const fields = {
  id: field(uuid, 'The id of the user.', sampleIds.user),
  email: field(
    nullable(Type.String()),
    'The email address; null if the account has none yet.',
    'ada@example.org',
  ),
  handle: field(nullable(Type.String()), 'The handle; null if the account has none.', null),
  display_name: nullable(Type.String()),
  role: Type.Enum(roles),
  linked_entity_id: nullable(uuid),
  organisation_name: field(
    nullable(Type.String()),
    'The name of the organisation that the user acts for; null for members and platform administrators.',
    null,
  ),
  status: field(
    Type.Enum(accountStatuses),
    'Whether the user can log in. `pending_deletion`: a member who has asked to be erased.',
    'active',
  ),
  email_verified: field(Type.Boolean(), 'Whether the user has proven that the address is theirs.', true),
  mfa_enabled: field(Type.Boolean(), 'Whether a login needs a code from an authenticator app.', false),
  created_at: timestamp,
  last_login: timestamp,
};

export const accountWire = closedObject(fields, { $id: 'Account' });

/** An account as the operator reads it. It has nothing of what the service has measured. */
export const accountDetailWire = closedObject(
  {
    ...fields,
    external_id: field(
      nullable(Type.String()),
      'The short id that a member sees; null for other users.',
      'MBR-4H8T2WNC',
    ),
    engagement_level: field(
      nullable(Type.Integer({ minimum: 1, maximum: 4 })),
      'The engagement level of a member; null for other users.',
      4,
    ),
    open_sessions: field(Type.Integer({ minimum: 0 }), 'On how many devices the user is logged in.', 2),
  },
  { $id: 'AccountDetail' },
);

/** What an act of the operator has changed. */
export const suspensionWire = closedObject({
  user_id: uuid,
  suspended: field(Type.Boolean(), 'Whether the account is suspended now.', true),
});

/** An account with the names of the member and of the organisation, as far as it has them. */
export type NamedAccount = accountSearch.AccountRow & {
  readonly organisation_name: string | null;
  readonly member: (Parameters<typeof judgeStatus>[1] & { readonly display_name: string }) | undefined;
};

export function toWire(account: NamedAccount) {
  const { member, member_id, org_id } = account;
  return toReply(accountWire, {
    ...account,
    display_name: member?.display_name ?? account.display_name,
    linked_entity_id: member_id ?? org_id,
    status: judgeStatus(account, member),
  });
}
