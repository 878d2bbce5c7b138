import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import type { PatchOperation } from '../patch.ts';
import type { GroupChange, MemberChange } from './rules.ts';

const name_characters_max = 200;
const external_id_characters_max = 255;
const ids_max = 5_000;

/** The attributes of a group as a request has them. Those that are not stored are left out. */
export type GroupAttributes = {
  readonly displayName?: unknown;
  readonly externalId?: unknown;
  readonly members?: unknown;
};

/**
 * Reads what a representation says about a group. Its members replace those of before.
 *
 * @throws Refusal `field_invalid`.
 */
export function readGroup({ displayName, externalId, members }: GroupAttributes): GroupChange {
  return {
    ...(displayName !== undefined && { display_name: readName(displayName) }),
    ...(externalId !== undefined && { external_id: readExternalId(externalId) }),
    ...(members !== undefined && { members: replaceMembers(members) }),
  };
}

function readName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : '';
  if (name !== '' && name.length <= name_characters_max) return name;
  const reason = `must be a text of 1 to ${name_characters_max} characters`;
  throw createFieldRefusal('field_invalid', '/displayName', reason);
}

function readExternalId(value: unknown): string | null {
  if (value === null || value === '') return null;
  if (typeof value === 'string' && value.length <= external_id_characters_max) return value;
  const reason = `must be a text of at most ${external_id_characters_max} characters`;
  throw createFieldRefusal('field_invalid', '/externalId', reason);
}

/** The ids of members: objects with `value`, as Entra ID and Okta send them, or plain. */
function readIds(value: unknown): readonly string[] {
  const ids = [value ?? []]
    .flat()
    .map((each: unknown) =>
      typeof each === 'object' && each !== null ? (each as { readonly value?: unknown }).value : each,
    );
  if (ids.length > ids_max)
    throw createFieldRefusal('field_invalid', '/members', `must have at most ${ids_max} members`);
  if (ids.every((id) => typeof id === 'string')) return ids;
  throw createFieldRefusal(
    'field_invalid',
    '/members',
    'must be a list of objects with the id of a user as value',
  );
}

function replaceMembers(value: unknown): MemberChange {
  return { keeps: false, added: new Set(readIds(value)), removed: new Set() };
}

/**
 * Reads what a PATCH changes: members by a path with values (Entra ID), by a path with a filter (Okta), or attributes of a value without a path (Okta).
 *
 * @throws Refusal `directory_patch_refused`, `directory_path_refused`, `field_invalid`.
 */
export function readGroupPatch(operations: readonly PatchOperation[]): GroupChange {
  let change: GroupChange = {};
  for (const { op, path, value } of operations) {
    const kind = op.toLowerCase();
    if (kind !== 'add' && kind !== 'replace' && kind !== 'remove')
      throw new Refusal('directory_patch_refused', { detail: 'An operation is add, replace or remove.' });
    if (path !== undefined) change = applyPath(change, kind, path, value);
    else if (kind === 'remove' || typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Refusal('directory_patch_refused', {
        detail: 'An operation without a path adds or replaces the attributes of an object.',
      });
    else for (const [name, each] of Object.entries(value)) change = applyPath(change, kind, name, each);
  }
  return change;
}

type Kind = 'add' | 'replace' | 'remove';

const prefix = 'urn:ietf:params:scim:schemas:core:2.0:group:';
const memberPath = /^members\[ *value +eq +"([^"\\]{1,100})" *\]$/;

function applyPath(change: GroupChange, kind: Kind, path: string, value: unknown): GroupChange {
  const lower = path.trim().toLowerCase();
  const name = lower.startsWith(prefix) ? lower.slice(prefix.length) : lower;
  const member = memberPath.exec(name)?.[1];
  if (member !== undefined && kind === 'remove') return addMembers(change, 'remove', [{ value: member }]);
  if (name === 'members') return addMembers(change, kind, value);
  if (name === 'displayname' && kind !== 'remove') return { ...change, display_name: readName(value) };
  if (name === 'externalid')
    return { ...change, external_id: readExternalId(kind === 'remove' ? null : value) };
  if (name === 'id' || name === 'schemas' || name === 'meta') return change;
  throw new Refusal('directory_path_refused', {
    detail: `${path.slice(0, 100)} cannot be changed: a PATCH of a group changes displayName, externalId and members.`,
  });
}

/** Adds an operation to those before it: the last one about a member counts. */
function addMembers(change: GroupChange, kind: Kind, value: unknown): GroupChange {
  const before = change.members ?? { keeps: true, added: new Set<string>(), removed: new Set<string>() };
  const isAll = kind === 'replace' || (kind === 'remove' && value === undefined);
  if (isAll) return { ...change, members: replaceMembers(value) };
  const ids = readIds(value);
  const add = (to: ReadonlySet<string>) => new Set([...to, ...ids]);
  const remove = (from: ReadonlySet<string>) => new Set([...from].filter((id) => !ids.includes(id)));
  const members =
    kind === 'add'
      ? { ...before, added: add(before.added), removed: remove(before.removed) }
      : { ...before, added: remove(before.added), removed: add(before.removed) };
  return { ...change, members };
}
