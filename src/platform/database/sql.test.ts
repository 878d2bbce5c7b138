import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptySql, sql, type Statement } from './sql.ts';

/** A statement as a tree: pieces of text with values and further statements between them. */
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

function written({ pieces, between }: Tree): Statement {
  const strings = Object.assign([...pieces], { raw: pieces }) as unknown as TemplateStringsArray;
  return sql(strings, ...between.map((part) => ('pieces' in part ? written(part) : part.value)));
}

/** The reference: one walk from left to right that counts. */
function expected(tree: Tree): { text: string; values: unknown[] } {
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

test('values become parameters in their order, however statements are nested', () => {
  fc.assert(
    fc.property(tree, (tree) => {
      const { text, values } = written(tree);
      expect({ text, values }).toEqual(expected(tree));
    }),
  );
});

test('a value never becomes text, not even one that looks like a statement', () => {
  const hostile = { text: "'; drop table users; --", values: [], name: 'x' };
  expect(sql`select ${hostile}`).toMatchObject({ text: 'select $1', values: [hostile] });
  expect(sql`select ${JSON.parse(JSON.stringify(sql`select 1`))}`.text).toBe('select $1');
});

test('the same text has the same name, and another text another one', () => {
  const byId = (id: number) => sql`select * from jobs where id = ${id}`;
  expect(byId(1).name).toBe(byId(2).name);
  expect(sql`select * from jobs where ${sql`id = ${1}`}`.name).toBe(byId(1).name);
  expect(sql`select * from jobs where id <> ${1}`.name).not.toBe(byId(1).name);
});

test('a name fits into the 63 bytes that PostgreSQL keeps of it', () => {
  expect(sql`select ${'a long one'} from a, b, c`.name.length).toBeLessThan(63);
});

test('an absent condition leaves no trace', () => {
  expect(sql`select 1 ${emptySql}where a = ${1}`).toMatchObject({
    text: 'select 1 where a = $1',
    values: [1],
  });
});
