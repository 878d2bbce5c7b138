import { createHash } from 'node:crypto';

/** A statement for PostgreSQL: text with `$1` places, its values, and a name that makes the server keep its plan. */
export type Statement<Row = unknown> = {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string;
  /** Carries the row type only; never set. */
  readonly row?: Row;
};

type Compiled = { readonly text: string; readonly name: string };

/** Told apart by its class: a value that merely looks like a statement, such as JSON from a request, stays a value. */
class Written implements Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string;

  constructor({ text, name }: Compiled, values: readonly unknown[]) {
    this.text = text;
    this.values = values;
    this.name = name;
  }
}

/**
 * A template literal is one fixed text wherever it stands, so it is compiled once: this keeps a named statement at the cost of raw `pg`
 * (docs/decisions/0003-storage.md has the figures).
 */
const compiledByTemplate = new WeakMap<TemplateStringsArray, Compiled>();

/** Spliced texts; there are as many as the code can put together, because values never become text. */
const compiledByText = new Map<string, Compiled>();

/**
 * Writes a statement: every interpolated value becomes a parameter, never text, and a nested statement is spliced in.
 *
 * @example sql<JobRow>`select * from jobs where id = ${id}`
 */
export function sql<Row = unknown>(
  strings: TemplateStringsArray,
  ...values: readonly unknown[]
): Statement<Row> {
  for (const value of values) if (value instanceof Written) return spliced<Row>(strings, values);
  return new Written(compiledByTemplate.get(strings) ?? compile(strings), values);
}

/** The empty statement, for an optional condition that is absent. */
export const nothing: Statement = sql``;

function compile(strings: TemplateStringsArray): Compiled {
  let text = strings[0] ?? '';
  for (let place = 1; place < strings.length; place++) text += `$${place}${strings[place]}`;
  const compiled = named(text);
  compiledByTemplate.set(strings, compiled);
  return compiled;
}

function spliced<Row>(strings: TemplateStringsArray, values: readonly unknown[]): Statement<Row> {
  let text = strings[0] ?? '';
  const flat: unknown[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value instanceof Written) {
      text += renumbered(value, flat.length);
      flat.push(...value.values);
    } else {
      flat.push(value);
      text += `$${flat.length}`;
    }
    text += strings[index + 1];
  }
  return new Written(named(text), flat);
}

function renumbered({ text, values }: Written, before: number): string {
  if (values.length === 0 || before === 0) return text;
  return text.replace(/\$(\d+)/g, (_, place: string) => `$${Number(place) + before}`);
}

function named(text: string): Compiled {
  const known = compiledByText.get(text);
  if (known !== undefined) return known;
  const compiled = { text, name: createHash('sha1').update(text).digest('base64url') };
  compiledByText.set(text, compiled);
  return compiled;
}
