import { createHash } from 'node:crypto';

/** A statement for PostgreSQL: text with `$1` places, its values, and a name that makes the server keep its plan. */
export type Statement<Row = unknown> = {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string;
  /** Carries the row type only; never set. */
  readonly row?: Row;
};

/** Told apart by its class: a value that merely looks like a statement, such as JSON from a request, stays a value. */
class SqlStatement implements Statement {
  readonly text: string;
  readonly values: readonly unknown[];

  constructor(text: string, values: readonly unknown[]) {
    this.text = text;
    this.values = values;
  }

  /** Only what is sent needs a name, and not the statements that were spliced into it. */
  get name(): string {
    return computeStatementName(this.text);
  }
}

/**
 * A template literal is one fixed text wherever it stands, so it is compiled once: this keeps a named statement at the cost of raw `pg`
 * (docs/decisions/0003-storage.md has the figures).
 */
const textByTemplate = new WeakMap<TemplateStringsArray, string>();

/** There are as many texts as the code can put together, because values never become text. */
const nameByText = new Map<string, string>();

/**
 * Writes a statement: every interpolated value becomes a parameter, never text, and a nested statement is spliced in.
 *
 * @example sql<JobRow>`select * from jobs where id = ${id}`
 */
export function sql<Row = unknown>(
  strings: TemplateStringsArray,
  ...values: readonly unknown[]
): Statement<Row> {
  for (const value of values)
    if (value instanceof SqlStatement) return spliceStatements<Row>(strings, values);
  return new SqlStatement(textByTemplate.get(strings) ?? compileTemplate(strings), values);
}

/** The empty statement, for an optional condition that is absent. */
export const emptySql: Statement = sql``;

function compileTemplate(strings: TemplateStringsArray): string {
  let text = strings[0] ?? '';
  for (let place = 1; place < strings.length; place++) text += `$${place}${strings[place]}`;
  textByTemplate.set(strings, text);
  return text;
}

function spliceStatements<Row>(strings: TemplateStringsArray, values: readonly unknown[]): Statement<Row> {
  let text = strings[0] ?? '';
  const flat: unknown[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value instanceof SqlStatement) {
      text += renumberParameters(value, flat.length);
      flat.push(...value.values);
    } else {
      flat.push(value);
      text += `$${flat.length}`;
    }
    text += strings[index + 1];
  }
  return new SqlStatement(text, flat);
}

function renumberParameters({ text, values }: SqlStatement, before: number): string {
  if (values.length === 0 || before === 0) return text;
  return text.replace(/\$(\d+)/g, (_, place: string) => `$${Number(place) + before}`);
}

function computeStatementName(text: string): string {
  const known = nameByText.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha1').update(text).digest('base64url');
  nameByText.set(text, name);
  return name;
}
