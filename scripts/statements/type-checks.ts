// The generated copy of the source imports this file. `compile-checks.ts` says what it is for.
import { sql } from '#platform/database/sql.ts';

/** Takes the place of `sql<Row>` before a template whose statement returns these columns. */
export function checkPgRows<Row, Columns>(...found: [Faults<Row, Columns>]): typeof sql<Row> {
  void found;
  return sql<Row>;
}

/** Takes the place of `sql` without a type: nothing about its rows is known, whatever reads them. */
export const pgUntyped = sql<unknown>;

/** Is around the value of each parameter. */
export const checkPgValue: <Taken>(value: Taken) => Taken = (value) => value;

/** Is around each row that a function stores: its columns have types that the parameters take. */
// The generated code gives the type, and the function takes whatever it wants.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export const checkPgGiven: <Taken>(row: Taken) => never = (row) => row as never;

/** What a parsed JSON value can be. A type that contains anything else, such as a Date, is wrong for a column with JSON. */
export type Json = { readonly 'a JSON value': unique symbol };

type Unusual = Date | Uint8Array | bigint | symbol | ((...given: never) => unknown);

/** The parts of a type that JSON does not have. */
type ListUnusual<Type> = unknown extends Type
  ? never
  : Type extends string | number | boolean | null | undefined
    ? never
    : Type extends Unusual
      ? Type
      : Type extends readonly (infer Element)[]
        ? ListUnusual<Element>
        : Type extends object
          ? { [Key in keyof Type]-?: Type[Key] extends Type ? never : ListUnusual<Type[Key]> }[keyof Type]
          : never;

type IsSame<One, Other> = [One] extends [Other] ? true : [Other] extends [One] ? true : false;

/** Whether a declared type can be what the column yields. It may be narrower, such as some of all texts, or wider. */
type Fits<Declared, Yielded> = unknown extends Declared
  ? true
  : [Yielded] extends [Json]
    ? [ListUnusual<Declared>] extends [never]
      ? true
      : false
    : IsSame<Declared, Yielded>;

/** The keys of a row, without those of a type that names none. */
type KeysOf<Row> = Row extends unknown
  ? keyof { [Key in keyof Row as string extends Key ? never : Key]: 1 }
  : never;
type IsOpen<Row> = Row extends unknown ? (string extends keyof Row ? true : never) : never;
type ValueOf<Row, Key> = Row extends unknown ? (Key extends keyof Row ? Row[Key] : never) : never;

type ColumnFaults<Declared, Yielded, Key> =
  | ([NonNullable<Yielded>] extends [never]
      ? never
      : Fits<NonNullable<Declared>, NonNullable<Yielded>> extends true
        ? never
        : `the type of ${Key & string} is not what the column yields`)
  | (null extends Yielded
      ? null extends Declared
        ? never
        : `${Key & string} may be null, and its type has no null`
      : never);

type ListFaults<Row, Columns> = Columns extends unknown
  ?
      | {
          [Key in KeysOf<Row>]: Key extends keyof Columns
            ? ColumnFaults<ValueOf<Row, Key>, Columns[Key], Key>
            : `the type has ${Key & string}, which the statement does not return`;
        }[KeysOf<Row>]
      | {
          [Key in keyof Columns]: Key extends KeysOf<Row>
            ? never
            : true extends IsOpen<Row>
              ? never
              : `the statement returns ${Key & string}, which the type does not have`;
        }[keyof Columns]
  : never;

/** `none`, or the ways in which the type of the rows differs from the columns of the statement. */
type Faults<Row, Columns> = unknown extends Row
  ? 'none'
  : [ListFaults<Row, Columns>] extends [never]
    ? 'none'
    : ListFaults<Row, Columns>;

/** What `pg` sends as an array: each element as it would send it alone. */
export type List<Element> = readonly (Element | null)[];

/** An object that `pg` sends as JSON. It would send an array as an array of PostgreSQL, and a Date as a text. */
export type JsonObject = { readonly [key: string]: unknown } & {
  readonly length?: never;
  readonly getTime?: never;
};
