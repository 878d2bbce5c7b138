import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { nullable, text, timestamp, uuid } from '#platform/schema.ts';
import { changeable, computed, editable, fixed, given, maintained, resource } from '#platform/resource.ts';

const boat = resource(
  { table: 'boats', $id: 'Boat' },
  {
    id: fixed(uuid),
    label: computed(Type.String(), ({ name }: { name: string }) => `Boat ${name}`),
    name: editable(Type.String(), { input: text(10) }),
    port: given(Type.String()),
    sails: editable(Type.Integer(), { default: 1 }),
    tags: editable(Type.Unsafe<readonly string[]>(Type.Array(Type.String())), {
      default: ['new'],
      as: 'json',
    }),
    owner: editable(nullable(Type.String()), { default: null }),
    status: changeable(Type.Enum(['afloat', 'sunk']), { default: 'afloat' }),
    built_at: fixed(timestamp, { as: 'time' }),
    sunk_at: maintained(nullable(timestamp), { as: 'time', default: null }),
    version: maintained(Type.Integer(), { default: 1, hidden: true }),
  },
);

const built_at = new Date('2026-03-02T09:00:00.000Z');
const row = {
  id: 'b1',
  name: 'Ida',
  port: 'Hull',
  sails: 2,
  tags: ['old'],
  owner: null,
  status: 'afloat' as const,
  built_at,
  sunk_at: null,
  version: 3,
};

test('every column is selected and inserted, with the defaults of those that are left out', () => {
  const { text: sent, values } = boat.insert({ id: 'b1', name: 'Ida', port: 'Hull', built_at });
  expect(boat.columns.text).toBe(
    '"id", "name", "port", "sails", "tags", "owner", "status", "built_at", "sunk_at", "version"',
  );
  expect(sent).toBe(`(${boat.columns.text}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`);
  expect(values).toEqual(['b1', 'Ida', 'Hull', 1, '["new"]', null, 'afloat', built_at, null, 1]);
});

test('every column that the client or the service may change is updated, and no other', () => {
  const { text: sent, values } = boat.update(row);
  expect(sent).toBe(
    '"name" = $1, "sails" = $2, "tags" = $3, "owner" = $4, "status" = $5, "sunk_at" = $6, "version" = $7',
  );
  const names = ['name', 'sails', 'tags', 'owner', 'status', 'sunk_at', 'version'];
  expect(boat.replacement.text).toBe(names.map((name) => `"${name}" = excluded."${name}"`).join(', '));
  expect(values).toEqual(['Ida', 2, '["old"]', null, 'afloat', null, 3]);
});

test('the text of a statement is the same for all values, so that its plan is stored once', () => {
  const other = { ...row, name: "Ada'); drop table boats; --", owner: 'Lind' };
  expect(boat.update(other).text).toBe(boat.update(row).text);
  expect(boat.insert(other).text).toBe(boat.insert(row).text);
});

test('an update without a value for one of its columns is refused instead of losing it', () => {
  const { sails: _, name, ...rest } = row;
  // @ts-expect-error The name is required.
  expect(() => boat.update(rest)).toThrow('no value for the column name');
  // @ts-expect-error The number of sails is required: its default is for new rows.
  expect(() => boat.update({ ...rest, name })).toThrow('no value for the column sails');
});

test('clients may send what they may set, and nothing else', () => {
  expect(Object.keys(boat.createInput)).toEqual(['name', 'port', 'sails', 'tags', 'owner']);
  expect(boat.changeableFields).toEqual(['name', 'sails', 'tags', 'owner', 'status']);
  expect(Object.keys(boat.changeInput)).toEqual(boat.changeableFields);
  expect(Type.Object(boat.createInput).required).toEqual(['name', 'port']);
  expect(Type.Object(boat.changeInput).required ?? []).toEqual([]);
  expect(boat.createInput.name).toMatchObject({ maxLength: 10 });
  expect(boat.createInput.sails).toMatchObject({ default: 1 });
});

test('an input is completed with the defaults, and null stays null', () => {
  expect(boat.complete({ name: 'Ida', port: 'Hull', sails: 3 })).toEqual({
    name: 'Ida',
    port: 'Hull',
    sails: 3,
    tags: ['new'],
    owner: null,
  });
});

test('a reply has all fields in the order of the declaration, times as text, and no hidden field', () => {
  const reply = boat.toWire({ ...row, sunk_at: built_at });
  expect(Object.keys(reply)).toEqual(Object.keys(boat.wire.properties));
  expect(reply).toMatchObject({
    label: 'Boat Ida',
    built_at: '2026-03-02T09:00:00.000Z',
    sunk_at: '2026-03-02T09:00:00.000Z',
  });
  expect(reply).not.toHaveProperty('version');
  expect(boat.toWire(row).sunk_at).toBeNull();
  expect(boat.wire).toMatchObject({ $id: 'Boat', additionalProperties: false });
});

test('mistakes that the types do not show end the start', () => {
  const createResource = (fields: Parameters<typeof resource>[1]) => () =>
    resource({ table: 'boats' }, fields);
  expect(createResource({ at: fixed(timestamp) })).toThrow("as: 'time'");
  expect(createResource({ state: changeable(Type.String()) })).toThrow('needs a default');
  expect(createResource({ 'a; b': fixed(Type.String()) })).toThrow('no name of a column');
});
