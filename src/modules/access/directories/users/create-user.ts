import { Type } from 'typebox';
import { Refusal, requireFound } from '#lib/refusal.ts';
import {
  changeOrgUser,
  changeUserSuspension,
  findAccount,
  insertAccount,
  no_password,
} from '#modules/access/accounts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation, reply, type Context } from '#platform/operation.ts';
import type { Transaction } from '#platform/database/database.ts';
import { readAttributes } from '../patch.ts';
import { lockDirectory } from '../require-directory-access.ts';
import { directory_users_max, selectNewRole, type UserChange } from '../rules.ts';
import { countDirectoryUsers, findDirectoryUser, upsertDirectoryFacts } from '../store.ts';
import { attributesInput, scimUserWire, userNameInput } from '../wire.ts';
import { writeScimUser } from '../write-scim-user.ts';
import { hideTakenEmail, requireDomain } from './change-user.ts';

export const createUser = operation({
  name: 'directories.createUser',
  title: 'Create a user by a directory',
  summary:
    'Creates a user of the organisation, who logs in by single sign-on. The domain of the address must be verified. The role is org_viewer or auditor.',
  who: ['org_admin'],
  input: Type.Object({ userName: userNameInput, ...attributesInput }),
  output: { 201: scimUserWire },
  refuses: [
    'organisation_not_found',
    'organisation_tier_too_low',
    'organisation_full',
    'sso_domain_unverified',
    'directory_user_exists',
    'directory_value_fixed',
  ],
  run: (context, input) => {
    const { email, role = 'org_viewer', ...rest } = readAttributes(input);
    return context.transaction(async (tx) => {
      await lockDirectory(tx, context.caller);
      const user_id = await insertUser(context, tx, email!, selectNewRole(undefined, role));
      await storeFacts(context, tx, user_id, rest);
      const { org_id } = context.caller;
      const created = requireFound(await findDirectoryUser(tx, { id: user_id, org_id }), 'user_not_found');
      return reply(201, writeScimUser(created, context.config.publicUrl));
    });
  },
});

async function insertUser(
  context: Context<'org_admin'>,
  tx: Transaction,
  email: string,
  role: NonNullable<UserChange['role']>,
): Promise<string> {
  const { org_id } = context.caller;
  // Before anything about the account, so that nobody learns which addresses of a domain that is not theirs have one.
  await requireDomain(context, tx, email);
  // Before the insertion, which would end the transaction.
  if (await findAccount(tx, email)) throw new Refusal('directory_user_exists');
  if ((await countDirectoryUsers(tx, { org_id, filter: {} })) >= directory_users_max)
    throw new Refusal('organisation_full');
  const now = context.now();
  const user = await insertAccount(tx, { email, role, org_id, password_hash: no_password, now }).catch(
    hideTakenEmail,
  );
  const detail = { user_id: user.id, role };
  await recordCallerAudit(context, tx, { action: 'directories.user_created', org_id, detail });
  return user.id;
}

async function storeFacts(
  context: Context<'org_admin'>,
  tx: Transaction,
  user_id: string,
  { external_id = null, display_name, active = true }: UserChange,
): Promise<void> {
  const { org_id } = context.caller;
  const now = context.now();
  if (display_name !== undefined) await changeOrgUser(context, tx, { user_id, display_name });
  if (!active) await changeUserSuspension(context, tx, { user_id, suspended: true, actor: context.caller });
  const deactivated_at = active ? null : now;
  await upsertDirectoryFacts(tx, { user_id, org_id, external_id, deactivated_at, changed_at: now });
}
