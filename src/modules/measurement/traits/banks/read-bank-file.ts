import { readFile, stat } from 'node:fs/promises';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { cholesky, flattenRows } from '@tessera/psychometrics';
import { OperatorError } from '#platform/command-line.ts';
import type { BankParameters } from '../items/bank.ts';
import { buildForm, requireOptions, type BankForm, type StatementCells } from '../items/bank-form.ts';
import { isLanguageCode } from '../items/languages.ts';
import { continuousTraits } from '../taxonomy.ts';
import type { Norms } from './bank-version.ts';
import { readNamedRows } from './csv-rows.ts';
import { requireMap } from './read-trait-map.ts';

/** What a file says about a bank: its statements, and the parameters of a version if it is an export. */
export type BankFile = {
  readonly form: BankForm;
  readonly version: {
    readonly parameters: BankParameters;
    readonly provisional: boolean;
    readonly respondents: number;
    readonly norms: Norms | null;
  } | null;
};

const json_bytes_max = 50_000_000;

/**
 * Reads a bank from a CSV file with the columns `item_id`, `scale`, `sign`, `options`, `text:en` …, or from JSON: a list of such rows, or what
 * `items export` has printed.
 *
 * @throws OperatorError that names the place of the first error.
 */
export async function readBankFile(file: string): Promise<BankFile> {
  if (!isJson(file)) return { form: buildForm(file, await readCsvRows(file, columns)), version: null };
  const content = await readJson(file);
  const traits = readTraits(readField(content, 'scales'));
  const form = buildForm(file, listEntries(file, content, traits));
  const empty = [...traits.keys()].find((scale) => !form.scales.some((each) => each.scale === scale));
  if (empty !== undefined)
    throw new OperatorError(`${file}, /scales: "${empty.slice(0, 40)}" has no statements`);
  return { form, version: readVersion(file, content, form) };
}

const columns = ['item_id', 'scale', 'sign', 'options'];

/**
 * Reads the rows of a bank from such a file as they are, without parameters: statements, and situations with a row for the situation itself and one for each option.
 *
 * @throws OperatorError for a file that cannot be read, or has the parameters of a version.
 */
export async function readStatementRows(
  file: string,
  required: readonly string[],
): Promise<readonly StatementCells[]> {
  if (!isJson(file)) return readCsvRows(file, required);
  const content = await readJson(file);
  if (readField(content, 'parameters') !== undefined)
    throw new OperatorError(
      `${file}, /parameters: our own bank takes statements and languages only; leave the parameters out, or import them under another name`,
    );
  return [...listEntries(file, content, new Map()), ...listSituationRows(file, content)];
}

const isJson = (file: string) => /\.json$/i.test(file);

async function readCsvRows(file: string, required: readonly string[]): Promise<readonly StatementCells[]> {
  const rows: StatementCells[] = [];
  for await (const row of readNamedRows(file, required)) rows.push(row);
  return rows;
}

function listEntries(
  file: string,
  content: unknown,
  traits: ReadonlyMap<string, string>,
): readonly StatementCells[] {
  const entries = Array.isArray(content) ? content : readField(content, 'items');
  if (!Array.isArray(entries)) throw new OperatorError(`${file} has no list "items"`);
  return entries.map((entry, index) => toCells(entry, traits, `${file}, item ${index + 1}`));
}

function listSituationRows(file: string, content: unknown): readonly StatementCells[] {
  const situations = readField(content, 'situations');
  return (Array.isArray(situations) ? situations : []).flatMap((situation: unknown, index) => {
    const where = `${file}, situation ${index + 1}`;
    const options = readField(situation, 'options');
    const [item_id, scale, text] = ['item_id', 'scale', 'text'].map((name) => readField(situation, name));
    const ways = (Array.isArray(options) ? options : []).map((option: unknown) => ({
      value: readField(option, 'value'),
      text: readField(option, 'text'),
    }));
    return [{ value: '', text }, ...ways].map((way) => toCells({ item_id, scale, ...way }, new Map(), where));
  });
}

/** Reads a JSON file. @throws OperatorError for a file that is incomplete or too large. */
async function readJson(file: string): Promise<unknown> {
  try {
    const found = await stat(file);
    if (!found.isFile() && !found.isDirectory())
      throw new OperatorError(`${file} is not a file: a device or a pipe may have no end`);
    if (found.size > json_bytes_max)
      throw new OperatorError(`${file} is larger than ${json_bytes_max / 1e6} MB`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new OperatorError(`${file} is not complete JSON`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new OperatorError(`${file} is not text in UTF-8`);
    throw error instanceof OperatorError || code === undefined
      ? error
      : new OperatorError(`${file} cannot be read (${code})`);
  }
}

function readField(content: unknown, field: string): unknown {
  return content !== null && typeof content === 'object' && Object.hasOwn(content, field)
    ? (content as Readonly<Record<string, unknown>>)[field]
    : undefined;
}

function readTraits(scales: unknown): ReadonlyMap<string, string> {
  const entries = (Array.isArray(scales) ? scales : []).map((scale: unknown) => [
    toText(readField(scale, 'scale')),
    toText(readField(scale, 'trait')),
  ]);
  return new Map(entries as [string, string][]);
}

/** Converts an entry of JSON to the cells that a row of CSV would have. @throws OperatorError for what is no object. */
export function toCells(entry: unknown, traits: ReadonlyMap<string, string>, where: string): StatementCells {
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry))
    throw new OperatorError(`${where} is not an object`);
  const cells = Object.entries(entry).flatMap(([name, value]: [string, unknown]) => {
    if (name === 'text' && value !== null && typeof value === 'object')
      return Object.entries(value).map(([language, text]) => [`text:${language}`, toText(text)] as const);
    if (name === 'text') return [['text:en', toText(value)] as const];
    if (name === 'thresholds' && Array.isArray(value))
      return value.map((threshold, index) => [`threshold:${index + 1}`, toText(threshold)] as const);
    if (name === 'options' && Array.isArray(value)) return [[name, value.map(toText).join('|')] as const];
    if (name === 'option_words' && value !== null && typeof value === 'object')
      return Object.entries(value).map(
        ([language, words]) => [`options:${language}`, joinWords(words)] as const,
      );
    if (name === 'enemies' && Array.isArray(value)) return [[name, value.map(toText).join(' ')] as const];
    if (name === 'may_not_apply') return [[name, value === true ? 'yes' : ''] as const];
    if (name === 'retired' || name === 'seeded') return value === true ? [['status', name] as const] : [];
    return [[name, toText(value)] as const];
  });
  const trait = traits.get(toText(readField(entry, 'scale')));
  return { cells: { ...(trait !== undefined && { trait }), ...Object.fromEntries(cells) }, where };
}

function joinWords(words: unknown): string {
  return Array.isArray(words) ? words.map(toText).join('|') : toText(words);
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const parameter = Type.Number({ minimum: -1_000, maximum: 1_000 });
const itemParameters = { discrimination: parameter, thresholds: Type.Array(parameter) };
const error = Type.Number({ minimum: 0, maximum: 1_000 });
const standardErrors = Type.Object({ discrimination: error, thresholds: Type.Array(error) });
const errors = Type.Object({ location: error, log_discrimination: error });

const parametersById = Type.Record(
  Type.String(),
  Type.Object({ ...itemParameters, standard_errors: Type.Optional(standardErrors) }),
);

const versionSchema = Type.Object({
  provisional: Type.Boolean(),
  respondents: Type.Integer({ minimum: 0 }),
  norms: Type.Union([
    Type.Null(),
    Type.Object({
      size: Type.Integer(),
      date: Type.String({ maxLength: 40 }),
      source: Type.String({ maxLength: 1_000 }),
    }),
  ]),
  parameters: Type.Object({
    items: parametersById,
    language: Type.Optional(Type.String({ maxLength: 35 })),
    languages: Type.Optional(
      Type.Record(
        Type.String({ maxLength: 35 }),
        Type.Object({ alike: Type.Array(Type.String()), items: parametersById }),
      ),
    ),
    correlations: Type.Array(Type.Array(parameter)),
    shared_errors: errors,
    item_errors: errors,
    decisions: Type.Optional(
      Type.Object({
        weights: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 })),
        pairs: Type.Array(
          Type.Object({
            items: Type.Tuple([Type.String(), Type.String()]),
            correlation: Type.Number({ minimum: -1, maximum: 1 }),
            is_asked_together: Type.Boolean(),
          }),
        ),
      }),
    ),
    map: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({ trait: Type.Enum(continuousTraits), sign: Type.Enum(['+', '-']) }),
      ),
    ),
  }),
});

/** Reads the parameters of an export; null if the file has none. */
function readVersion(file: string, content: unknown, form: BankForm): BankFile['version'] {
  if (readField(content, 'parameters') === undefined) return null;
  const [error] = Value.Errors(versionSchema, content);
  if (error) throw new OperatorError(`${file}, ${error.instancePath || '/'}: ${error.message}`);
  const { parameters, provisional, respondents, norms } = Value.Clean(
    versionSchema,
    structuredClone(content),
  ) as Static<typeof versionSchema>;
  requireAllParameters(file, parameters, form);
  requireCorrelations(file, parameters.correlations, form.scales.length);
  requireDecided(file, parameters, form);
  if (parameters.map) requireMap(`${file}, /parameters/map`, parameters.map, form.scales);
  return { parameters, provisional, respondents, norms };
}

type StoredParameters = Static<typeof versionSchema>['parameters'];

/** @throws OperatorError unless each statement has parameters, and each language those of statements that exist. */
function requireAllParameters(
  file: string,
  { items, language, languages = {} }: StoredParameters,
  form: BankForm,
): void {
  const steps = new Map(form.statements.map((each) => [each.item_id, requireOptions(each).count - 1]));
  for (const [id, count] of steps) requireParameters(`${file}, /parameters/items`, id, items, count);
  const unknown = Object.keys(items).find((id) => !steps.has(id));
  if (unknown !== undefined)
    throw new OperatorError(
      `${file}, /parameters/items: "${unknown.slice(0, 40)}" is no statement of the file`,
    );
  if (language !== undefined && !form.statements.some(({ text }) => Object.hasOwn(text, language)))
    throw new OperatorError(`${file}, /parameters/language: no statement has a text in "${language}"`);
  for (const [code, compared] of Object.entries(languages)) {
    const place = `${file}, /parameters/languages/${code.slice(0, 40)}`;
    if (!isLanguageCode(code)) throw new OperatorError(`${place}: this is not the code of a language`);
    for (const id of [...compared.alike, ...Object.keys(compared.items)])
      if (!steps.has(id))
        throw new OperatorError(`${place}: "${id.slice(0, 40)}" is no statement of the file`);
    for (const id of Object.keys(compared.items))
      requireParameters(`${place}/items`, id, compared.items, steps.get(id)!);
  }
}

function requireParameters(place: string, id: string, items: StoredParameters['items'], steps: number): void {
  const own = Object.hasOwn(items, id) ? items[id] : undefined;
  const isAscending = own?.thresholds.every((value, k) => k === 0 || value > own.thresholds[k - 1]!);
  const errors = own?.standard_errors;
  if (
    own &&
    isAscending &&
    own.discrimination > 0 &&
    own.thresholds.length === steps &&
    (!errors || errors.thresholds.length === steps)
  )
    return;
  throw new OperatorError(
    `${place}/${id}: a discrimination above 0 and ${steps} ascending thresholds are needed`,
  );
}

function requireDecided(file: string, { decisions }: StoredParameters, { statements }: BankForm): void {
  const ids = new Set(statements.map(({ item_id }) => item_id));
  const named = [
    ...Object.keys(decisions?.weights ?? {}),
    ...(decisions?.pairs ?? []).flatMap(({ items }) => items),
  ];
  const unknown = named.find((id) => !ids.has(id));
  if (unknown !== undefined)
    throw new OperatorError(
      `${file}, /parameters/decisions: "${unknown.slice(0, 40)}" is no statement of the file`,
    );
}

function requireCorrelations(file: string, correlations: readonly (readonly number[])[], size: number): void {
  const isMatrix =
    correlations.length === size &&
    correlations.every(
      (row, index) =>
        row.length === size &&
        row[index] === 1 &&
        row.every((value, column) => value === correlations[column]?.[index]),
    );
  if (isMatrix && cholesky(flattenRows(correlations)).every(Number.isFinite)) return;
  throw new OperatorError(
    `${file}, /parameters/correlations: ${size} rows of correlations of the scales are needed, in their order`,
  );
}
