import { randomUUID } from 'node:crypto';
import type { Role } from '#lib/caller.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { insertMember } from '#modules/people/members';
import { insertOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { isCommonPassword } from '../passwords/common-passwords.ts';
import { toCanonicalEmail, listPasswordFaults, unnamedMember } from '../rules.ts';
import { insertUser, type User } from '../store.ts';

/** An account that does not exist yet. A member gets a profile, and an org_admin without `org_id` an organisation named `name`. */
export type NewAccount = {
  readonly email: string;
  readonly password_hash: string;
  readonly role: Role;
  readonly name?: string | undefined;
  readonly org_id?: string | undefined;
  readonly now: Date;
};

export type AddressedUser = User & { readonly email: string };

/**
 * Checks a new password.
 *
 * @param own The account's address and name, as far as the request names them. A password must not be a variation of them.
 * @throws Refusal `password_too_weak`, which names each part of the rule that it fails, `password_too_common`.
 */
export async function checkNewPassword(
  password: string,
  pointer: string,
  own: readonly (string | undefined)[] = [],
): Promise<void> {
  const faults = listPasswordFaults(password);
  if (faults.length > 0)
    throw new Refusal('password_too_weak', {
      detail: `The password ${faults.join(', ')}.`,
      errors: faults.map((reason) => ({ pointer, reason })),
    });
  const known = own.filter((text) => text !== undefined);
  if (await isCommonPassword(password, known))
    throw new Refusal('password_too_common', {
      errors: [
        {
          pointer,
          reason:
            'must not be one of the most common passwords, a name or address of the account, or a slight variation of one',
        },
      ],
    });
}

/**
 * Checks that an organisation that is created with its first administrator has a name.
 *
 * @throws Refusal `field_invalid`.
 */
export function checkRequiredName({ role, name }: Pick<NewAccount, 'name'> & { readonly role?: Role }): void {
  if (role === 'org_admin') requireOrganisationName(name);
}

function requireOrganisationName(name: string | undefined): string {
  if (name !== undefined) return name.trim();
  const reason = 'is required: it becomes the name of your organisation';
  throw createFieldRefusal('field_invalid', '/name', reason);
}

/**
 * Adds an account, and the member or the organisation that its role requires.
 *
 * @throws Refusal `email_taken`, `organisation_not_found`, `field_invalid`.
 */
export async function insertAccount(tx: Transaction, account: NewAccount): Promise<AddressedUser> {
  const { role, password_hash, now } = account;
  const { member_id, org_id } = await insertLinkedEntity(tx, account);
  const linked_entity_id = member_id ?? org_id;
  const email = toCanonicalEmail(account.email);
  const names = { email, handle: null };
  const user = { id: randomUUID(), ...names, role, linked_entity_id, created_at: now, last_login: now };
  await insertUser(tx, { ...user, password_hash, member_id, org_id });
  return user;
}

/**
 * Adds the account of a member who exists already.
 *
 * @throws Refusal `email_taken`.
 */
export async function insertMemberAccount(
  tx: Transaction,
  {
    member_id,
    email,
    password_hash,
    now,
  }: Pick<NewAccount, 'email' | 'password_hash' | 'now'> & { readonly member_id: string },
): Promise<AddressedUser> {
  const user = {
    id: randomUUID(),
    email: toCanonicalEmail(email),
    handle: null,
    role: 'member',
    linked_entity_id: member_id,
    created_at: now,
    last_login: now,
  } as const;
  await insertUser(tx, { ...user, password_hash, member_id, org_id: null });
  return user;
}

type Link = { readonly member_id: string | null; readonly org_id: string | null };

async function insertLinkedEntity(tx: Transaction, { role, name, org_id, now }: NewAccount): Promise<Link> {
  if (role === 'platform_admin') return { member_id: null, org_id: null };
  const id = randomUUID();
  if (role === 'member') {
    await insertMember(tx, { id, display_name: name?.trim() ?? unnamedMember, now });
    return { member_id: id, org_id: null };
  }
  if (org_id !== undefined) return { member_id: null, org_id };
  if (role !== 'org_admin')
    throw createFieldRefusal('field_invalid', '/org_id', `is required for the role ${role}`);
  await insertOrganisation(tx, { id, name: requireOrganisationName(name), now });
  return { member_id: null, org_id: id };
}
