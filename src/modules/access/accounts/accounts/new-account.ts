import { randomUUID } from 'node:crypto';
import type { Role } from '#lib/caller.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { insertMember, unnamedMember } from '#modules/people/members';
import { checkOrganisationName, findOrganisation, insertOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { CheckContext, InputCheck } from '#platform/operation.ts';
import { isCommonPassword, hasOwnWords } from '../passwords/common-passwords.ts';
import { toCanonicalEmail, listPasswordFaults } from '../rules.ts';
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
 * @throws Refusal `password_too_weak`, which names each part of the rule that it fails, `password_too_common`.
 */
export async function checkNewPassword(password: string, pointer: string): Promise<void> {
  const faults = listPasswordFaults(password);
  if (faults.length > 0)
    throw new Refusal('password_too_weak', {
      detail: `The password ${faults.join(', ')}.`,
      errors: faults.map((reason) => ({ pointer, reason })),
    });
  if (await isCommonPassword(password))
    throw createFieldRefusal(
      'password_too_common',
      pointer,
      'must not be one of the most common passwords or a slight variation of one',
    );
}

/**
 * Checks that the password of a new account does not follow from what anybody knows about the account (OWASP ASVS 5.0, 6.2.11).
 *
 * @param own The account's address and name, as far as the request has them.
 * @throws Refusal `password_too_common`.
 */
export function checkPasswordWords(password: string, own: readonly (string | undefined)[]): void {
  const known = own.filter((text) => text !== undefined);
  if (hasOwnWords(password, known))
    throw createFieldRefusal(
      'password_too_common',
      '/password',
      'must not be the name or the address of the account, or a slight variation of one',
    );
}

type NewLogin = {
  readonly password: string;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
};

/** The checks of the password of a new account: on its own, and with what the request says about the account. */
export const newPasswordChecks: readonly InputCheck<NewLogin>[] = [
  ({ password }) => checkNewPassword(password, '/password'),
  ({ password, email, name }) => checkPasswordWords(password, [email, name]),
];

/**
 * Checks that an organisation that is created with its first administrator has a name.
 *
 * @throws Refusal `field_invalid`.
 */
export function checkRequiredName({ role, name }: Pick<NewAccount, 'name'> & { readonly role?: Role }): void {
  if (role === 'org_admin') requireOrganisationName(name);
}

/**
 * Checks the name of an organisation that is created with its first administrator against those of others. That names are taken can be seen by everybody.
 *
 * @throws Refusal `organisation_name_taken`, or `field_invalid` for a word of several alphabets.
 */
export async function checkNewOrganisationName(
  { role, name }: Pick<NewAccount, 'name'> & { readonly role?: Role },
  context: CheckContext,
): Promise<void> {
  if (role === 'org_admin' && name !== undefined)
    await checkOrganisationName(context, context.database, { name });
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
  if (org_id !== undefined) {
    if (!(await findOrganisation(tx, org_id))) throw new Refusal('organisation_not_found');
    return { member_id: null, org_id };
  }
  if (role !== 'org_admin')
    throw createFieldRefusal('field_invalid', '/org_id', `is required for the role ${role}`);
  await insertOrganisation(tx, { id, name: requireOrganisationName(name), now });
  return { member_id: null, org_id: id };
}
