import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { readOutsideValue } from '#lib/outside-values.ts';
import { isEmail } from '#modules/access/accounts';
import { readRole, type UserChange } from './rules.ts';

/** The attributes of a user as a request has them. Those that are not stored are left out. */
export type UserAttributes = {
  readonly userName?: unknown;
  readonly externalId?: unknown;
  readonly displayName?: unknown;
  readonly active?: unknown;
  readonly roles?: unknown;
  readonly name?: unknown;
};

/** One operation of a PATCH (RFC 7644 section 3.5.2). */
export type PatchOperation = { readonly op: string; readonly path?: string; readonly value?: unknown };

const name_characters_max = 200;
const external_id_characters_max = 255;

/**
 * Reads what a representation says about a user.
 *
 * @throws Refusal `field_invalid`.
 */
export function readAttributes(attributes: UserAttributes): UserChange {
  const { userName, externalId, active, roles } = attributes;
  const display_name = readDisplayName(attributes);
  const role = roles === undefined ? undefined : readRole(listValues(roles));
  return {
    ...(userName !== undefined && { email: readUserName(userName) }),
    ...(externalId !== undefined && { external_id: readExternalId(externalId) }),
    ...(display_name !== undefined && { display_name }),
    ...(active !== undefined && { active: readActive(active) }),
    ...(role !== undefined && { role }),
  };
}

/** The address of the account is its user name. */
function readUserName(value: unknown): string {
  const email = typeof value === 'string' ? readOutsideValue('email', value) : '';
  if (!isEmail(email)) throw createFieldRefusal('field_invalid', '/userName', 'must be an email address');
  return email;
}

function readExternalId(value: unknown): string | null {
  if (value === null || value === '') return null;
  if (typeof value === 'string' && value.length <= external_id_characters_max) return value;
  const reason = `must be a text of at most ${external_id_characters_max} characters`;
  throw createFieldRefusal('field_invalid', '/externalId', reason);
}

/** Entra ID sends "True" and "False" as text. */
function readActive(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text === 'true' || text === 'false') return text === 'true';
  throw createFieldRefusal('field_invalid', '/active', 'must be true or false');
}

/** A name is stored whole: the one to display, else the formatted one, else its parts. */
function readDisplayName({ displayName, name }: UserAttributes): string | undefined {
  const { formatted, givenName, familyName } = (
    typeof name === 'object' && name !== null ? name : {}
  ) as Readonly<Record<string, unknown>>;
  const names = [givenName, familyName].filter((each) => typeof each === 'string');
  const parts = names.length === 2 ? names.join(' ') : undefined;
  const shown = [displayName, formatted, parts].find(
    (each) => typeof each === 'string' && each.trim() !== '',
  );
  if (typeof shown !== 'string') return undefined;
  if (shown.length > name_characters_max)
    throw createFieldRefusal(
      'field_invalid',
      '/displayName',
      `must have at most ${name_characters_max} characters`,
    );
  return shown.trim();
}

/** The values of a multi-valued attribute: as objects with `value`, or plain. */
function listValues(value: unknown): readonly unknown[] {
  return [value]
    .flat()
    .map((each: unknown) =>
      typeof each === 'object' && each !== null ? (each as { readonly value?: unknown }).value : each,
    );
}

/**
 * Reads what a PATCH changes, in the dialects of Entra ID (capitalised operations, text for booleans, paths with a filter) and Okta (one value without a path). Attributes of
 * the standard that are not stored are ignored.
 *
 * @throws Refusal `directory_patch_refused`, `directory_path_refused`, `field_invalid`.
 */
export function readPatch(operations: readonly PatchOperation[]): UserChange {
  const attributes: Record<string, unknown> = {};
  for (const { op, path, value } of operations) {
    const kind = op.toLowerCase();
    if (kind !== 'add' && kind !== 'replace' && kind !== 'remove')
      throw new Refusal('directory_patch_refused', { detail: 'An operation is add, replace or remove.' });
    if (path !== undefined) setAttribute(attributes, path, kind === 'remove' ? null : value);
    else if (kind === 'remove') throw refusePath('A removal names what it removes by a path.');
    else setAll(attributes, value);
  }
  return readAttributes(attributes);
}

function setAll(attributes: Record<string, unknown>, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('directory_patch_refused', {
      detail: 'An operation without a path has an object as its value.',
    });
  for (const [path, each] of Object.entries(value)) setAttribute(attributes, path, each);
}

/** What a path names, with what may be removed from it: the attribute, `name`, or one that is not stored. */
const core = 'urn:ietf:params:scim:schemas:core:2.0:user:';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user';
const pathForm = /^([a-z$]+)(?:\[[^\]]{1,200}\])?(?:\.([a-z$]+))?$/;

const stored: Readonly<Record<string, keyof UserAttributes>> = {
  username: 'userName',
  externalid: 'externalId',
  displayname: 'displayName',
  active: 'active',
  roles: 'roles',
};

const nameParts: Readonly<Record<string, string>> = {
  formatted: 'formatted',
  givenname: 'givenName',
  familyname: 'familyName',
};

/** The attributes of RFC 7643 section 4.1 that are accepted and not stored. */
const ignored: ReadonlySet<string> = new Set(
  `addresses emails entitlements groups ims locale nickname password phonenumbers photos preferredlanguage profileurl timezone title usertype
  x509certificates schemas meta id`.split(/\s+/),
);

function setAttribute(attributes: Record<string, unknown>, path: string, value: unknown): void {
  const lower = path.trim().toLowerCase();
  if (lower.startsWith(enterprise)) return;
  const [, attribute = '', part] =
    pathForm.exec(lower.startsWith(core) ? lower.slice(core.length) : lower) ?? [];
  const name = stored[attribute];
  if (name !== undefined) attributes[name] = readStored(name, value);
  else if (attribute === 'name') attributes['name'] = mergeName(attributes['name'], part, value);
  else if (!ignored.has(attribute)) throw refusePath(`${path.slice(0, 100)} is no attribute of a user.`);
}

/** A removed role is that of a viewer. The others cannot be without a value, and a removed name stays. */
function readStored(name: keyof UserAttributes, value: unknown): unknown {
  if (value !== null || name === 'externalId') return value;
  if (name === 'roles') return ['org_viewer'];
  if (name === 'displayName') return undefined;
  throw new Refusal('directory_value_fixed', { detail: `${name} cannot be removed.` });
}

function mergeName(before: unknown, part: string | undefined, value: unknown): unknown {
  if (part === undefined) return value;
  const name = nameParts[part];
  return name === undefined ? before : { ...(before as object | undefined), [name]: value };
}

function refusePath(detail: string): Refusal {
  return new Refusal('directory_path_refused', { detail });
}
