import { OperatorError } from '#platform/command-line.ts';
import { buildForm, readTexts, type BankStatement, type StatementCells } from '../items/bank-form.ts';
import type { BankSituation } from '../items/situations.ts';
import type { OwnForm } from '../items/tessera-form.ts';
import { continuousTraits } from '../taxonomy.ts';
import { readStatementRows, toCells } from './read-bank-file.ts';

/**
 * Reads what a file adds to our own bank: new statements of the status `seeded`, and languages of statements and situations that it has. The file may list
 * these alone, or everything. What it does not list stays as it is.
 *
 * @throws OperatorError that names the place of the first error, such as a known statement that would change.
 */
export async function readOwnAdditions(file: string, known: OwnForm): Promise<OwnForm> {
  const situations = new Set(known.situations.map(({ item_id }) => item_id));
  const isSituation = ({ cells }: StatementCells) => situations.has(readCell(cells, 'item_id'));
  const rows = await readStatementRows(file, ['item_id']);
  const statements = mergeStatements(
    known.statements,
    rows.filter((row) => !isSituation(row)),
  );
  return {
    ...buildForm(file, statements),
    situations: mergeSituations(known.situations, rows.filter(isSituation)),
  };
}

const readCell = (cells: StatementCells['cells'], column: string) => (cells[column] ?? '').trim();

function mergeStatements(
  known: readonly BankStatement[],
  rows: readonly StatementCells[],
): readonly StatementCells[] {
  const given = new Map<string, StatementCells>();
  for (const row of rows) {
    const id = readCell(row.cells, 'item_id');
    if (given.has(id))
      throw new OperatorError(`${row.where}, column item_id: "${id.slice(0, 40)}" is there twice`);
    given.set(id, row);
  }
  const merged = known.map((statement) => {
    const { item_id } = statement;
    const cells = toCells(statement, new Map(), item_id);
    const row = given.get(item_id);
    given.delete(item_id);
    return row ? extendStatement(cells, row) : cells;
  });
  return [...merged, ...[...given.values()].map(requireNew)];
}

/** Whether a column has texts of a language. */
const isOfLanguage = (column: string) => /^(text|options):/.test(column);

/** Adds the languages of a row to a statement that the bank has. @throws OperatorError for a cell that says something else than before. */
function extendStatement(
  { cells: before }: StatementCells,
  { cells, where }: StatementCells,
): StatementCells {
  const added = Object.entries(cells).filter(([, cell]) => cell.trim() !== '');
  for (const [column, cell] of added) {
    const isFixed = fixedColumns.has(column) || /^threshold:\d+$/.test(column);
    const isAdded = isOfLanguage(column) && before[column] === undefined;
    if (isAdded || !(isFixed || isOfLanguage(column))) continue;
    if (normalise(column, cell) === normalise(column, before[column] ?? '')) continue;
    // A file that was imported before goes on to say that a statement is new when it was taken up.
    if (column === 'status' && cell.trim() === 'seeded') continue;
    throw new OperatorError(
      `${where}, column ${column}: differs from what the bank has; a statement that changes needs another id`,
    );
  }
  const texts = added.filter(([column]) => isOfLanguage(column));
  return { cells: { ...before, ...Object.fromEntries(texts) }, where };
}

const fixedColumns: ReadonlySet<string> = new Set([
  'scale',
  'sign',
  'options',
  'status',
  'may_not_apply',
  'enemies',
  'discrimination',
]);

/** Writes a cell as the bank would: `+` for `1`, `1.4` for `1.40`, and no status for `asked`. */
function normalise(column: string, cell: string): string {
  const text = cell.trim();
  if (column === 'sign') return text.replace(/^\+?1$/, '+').replace(/^-1$/, '-');
  if (column === 'status') return text === 'asked' ? '' : text;
  return column === 'discrimination' || column.startsWith('threshold:') ? String(Number(text)) : text;
}

/** @throws OperatorError for a statement of a scale that the bank does not have, or one that is not new. */
function requireNew(row: StatementCells): StatementCells {
  const { cells, where } = row;
  const scale = readCell(cells, 'scale');
  if (!continuousTraits.some((code) => code === scale))
    throw new OperatorError(
      `${where}, column scale: "${scale.slice(0, 40)}" is no scale of our own bank, which are the traits; its situations can only gain languages`,
    );
  if (readCell(cells, 'status') !== 'seeded')
    throw new OperatorError(
      `${where}, column status: "${readCell(cells, 'item_id').slice(0, 40)}" is new, so that its status is seeded`,
    );
  return row;
}

/** Adds texts in other languages: of a situation in the row without `value`, of an option in the row with its value. */
function mergeSituations(
  known: readonly BankSituation[],
  rows: readonly StatementCells[],
): readonly BankSituation[] {
  const byId = Map.groupBy(rows, ({ cells }) => readCell(cells, 'item_id'));
  return known.map((situation) => {
    const given = new Map<string, StatementCells>();
    const values = new Set(['', ...situation.options.map(({ value }) => value)]);
    for (const row of byId.get(situation.item_id) ?? []) {
      const [value, scale] = [readCell(row.cells, 'value'), readCell(row.cells, 'scale')];
      const quoted = `"${value.slice(0, 40)}"`;
      if (!values.has(value))
        throw new OperatorError(`${row.where}, column value: ${quoted} is no option of this situation`);
      if (given.has(value)) throw new OperatorError(`${row.where}, column value: ${quoted} is there twice`);
      if (!['', situation.scale].includes(scale))
        throw new OperatorError(
          `${row.where}, column scale: "${scale.slice(0, 40)}" differs from what the bank has`,
        );
      given.set(value, row);
    }
    return {
      ...situation,
      text: extendTexts(situation.text, given.get('')),
      options: situation.options.map((option) => ({
        ...option,
        text: extendTexts(option.text, given.get(option.value)),
      })),
    };
  });
}

function extendTexts(before: BankSituation['text'], row: StatementCells | undefined): BankSituation['text'] {
  const texts = row ? readTexts(row) : {};
  const changed = Object.keys(texts).find(
    (language) => before[language] !== undefined && before[language] !== texts[language],
  );
  if (row && changed !== undefined)
    throw new OperatorError(`${row.where}, column text:${changed}: differs from what the bank has`);
  return { ...before, ...texts };
}
