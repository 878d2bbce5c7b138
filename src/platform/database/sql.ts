import { createHash } from 'node:crypto';
import { cacheResults } from '#lib/cache-results.ts';

/** A statement for PostgreSQL: text with parameters such as `$1`, their values, and a name with which the server stores its plan. */
export type Statement<Row = unknown> = {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string;
  /** Only carries the type of the rows; never set. */
  readonly row?: Row;
};

/** Statements are recognised by this class, so that a value that looks like a statement, such as JSON from a request, stays a value. */
class SqlStatement implements Statement {
  readonly text: string;
  readonly values: readonly unknown[];

  constructor(text: string, values: readonly unknown[]) {
    this.text = text;
    this.values = values;
  }

  /** Computed on demand, because only statements that are sent need a name, and nested ones do not. */
  get name(): string {
    return computeStatementName(this.text);
  }
}

const names_max = 10_000;

/** The name of each text. The number of texts is limited by the code, because values never become text. */
const computeStatementName = cacheResults(names_max, (text) =>
  createHash('sha1').update(text).digest('base64url'),
);

/**
 * Creates a statement. Every interpolated value becomes a parameter, never text, and a nested statement is inserted.
 *
 * @example sql<JobRow>`select * from jobs where id = ${id}`
 */
export function sql<Row = unknown>(
  strings: TemplateStringsArray,
  ...values: readonly unknown[]
): Statement<Row> {
  for (const value of values)
    if (value instanceof SqlStatement) return spliceStatements<Row>(strings, values);
  return new SqlStatement(compileTemplate(strings), values);
}

/**
 * Creates a part of a statement from text that the program builds from names in its code, for resources alone: never pass a value in the text.
 *
 * @param values The values of the parameters `$1`, `$2`, … in the text.
 */
export function createFragment(text: string, values: readonly unknown[]): Statement {
  return new SqlStatement(text, values);
}

/** The empty statement, for an optional condition that is absent. */
export const emptySql: Statement = sql``;

function compileTemplate(strings: TemplateStringsArray): string {
  let text = strings[0] ?? '';
  for (let index = 1; index < strings.length; index++) text += `$${index}${strings[index]}`;
  return text;
}

function spliceStatements<Row>(strings: TemplateStringsArray, values: readonly unknown[]): Statement<Row> {
  let text = strings[0] ?? '';
  const flatValues: unknown[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value instanceof SqlStatement) {
      text += renumberParameters(value, flatValues.length);
      flatValues.push(...value.values);
    } else {
      flatValues.push(value);
      text += `$${flatValues.length}`;
    }
    text += strings[index + 1];
  }
  return new SqlStatement(text, flatValues);
}

function renumberParameters({ text, values }: SqlStatement, offset: number): string {
  if (values.length === 0 || offset === 0) return text;
  return text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + offset}`);
}
