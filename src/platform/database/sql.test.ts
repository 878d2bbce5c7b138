import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptySql, sql, type Statement } from './sql.ts';

/** A statement as a tree: pieces of text with values and nested statements between them. */
type Tree = {
  readonly pieces: readonly string[];
  readonly between: readonly (Tree | { readonly value: unknown })[];
};

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc
    .array(fc.oneof({ depthSize: 'small' }, fc.record({ value: fc.anything() }), tie('tree')), {
      maxLength: 4,
    })
    .chain((between) =>
      fc
        .array(fc.stringMatching(/^[a-z =,()]{0,8}$/), {
          minLength: between.length + 1,
          maxLength: between.length + 1,
        })
        .map((pieces) => ({ pieces, between })),
    ),
}));

function buildStatement({ pieces, between }: Tree): Statement {
  const strings: TemplateStringsArray = Object.assign([...pieces], { raw: pieces });
  return sql(strings, ...between.map((part) => ('pieces' in part ? buildStatement(part) : part.value)));
}

/** The reference implementation: one walk from left to right that numbers the parameters. */
function flattenTree(tree: Tree): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const walk = ({ pieces, between }: Tree): string =>
    pieces.reduce((text, piece, index) => {
      const part = between[index - 1]!;
      if ('pieces' in part) return text + walk(part) + piece;
      values.push(part.value);
      return `${text}$${values.length}${piece}`;
    });
  const text = walk(tree);
  return { text, values };
}

test('values become parameters in order, for any nesting of statements', () => {
  fc.assert(
    fc.property(tree, (tree) => {
      const { text, values } = buildStatement(tree);
      expect({ text, values }).toEqual(flattenTree(tree));
    }),
  );
});

test('a value never becomes text, even if it looks like a statement', () => {
  const hostile = { text: "'; drop table users; --", values: [], name: 'x' };
  expect(sql`select ${hostile}`).toMatchObject({ text: 'select $1', values: [hostile] });
  expect(sql`select ${JSON.parse(JSON.stringify(sql`select 1`))}`.text).toBe('select $1');
});

test('the same text has the same name, and another text has another name', () => {
  const selectById = (id: number) => sql`select * from jobs where id = ${id}`;
  expect(selectById(1).name).toBe(selectById(2).name);
  expect(sql`select * from jobs where ${sql`id = ${1}`}`.name).toBe(selectById(1).name);
  expect(sql`select * from jobs where id <> ${1}`.name).not.toBe(selectById(1).name);
});

test('a name has fewer than the 63 bytes that PostgreSQL uses', () => {
  expect(sql`select ${'a long one'} from a, b, c`.name.length).toBeLessThan(63);
});

test('an empty statement adds nothing', () => {
  expect(sql`select 1 ${emptySql}where a = ${1}`).toMatchObject({
    text: 'select 1 where a = $1',
    values: [1],
  });
});
