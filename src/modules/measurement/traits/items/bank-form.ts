import { OperatorError } from '#platform/command-line.ts';
import { isTraitCode, type TraitCode } from '../taxonomy.ts';
import { agreementScale, type GradedItem, type Translation } from './item.ts';
import { english, isLanguageCode } from './languages.ts';
import type { BankSituation } from './situations.ts';

/** A statement as a bank's file has it. */
export type BankStatement = {
  readonly item_id: string;
  readonly scale: string;
  readonly sign: '+' | '-';
  /** As the file has it: `6` (answers 1 to 6), `0-4`, or the words of the options with `|` between them. */
  readonly options: string;
  /** The text by language. */
  readonly text: Readonly<Record<string, string>>;
  /** The options in words by language, where `options` does not say them. The last one of a statement that may not apply skips it. */
  readonly option_words?: Readonly<Record<string, readonly string[]>>;
  /** The ids of statements that must not be asked with this one. */
  readonly enemies?: readonly string[];
  readonly may_not_apply?: true;
  /** Scores stored answers, and is not asked. */
  readonly retired?: true;
  /** New: asked of volunteers among the others, and counts nothing until it is taken up. */
  readonly seeded?: true;
  /** The judged parameters, from which a calibration starts. */
  readonly discrimination?: number;
  readonly thresholds?: readonly number[];
};

/** A scale, and the trait of the taxonomy that it measures, if any. */
export type BankScale = { readonly scale: string; readonly trait: TraitCode | null };

/** The statements of a bank without calibrated parameters: what people review. */
export type BankForm = {
  readonly scales: readonly BankScale[];
  readonly statements: readonly BankStatement[];
  /** The situations, which only our own bank has. */
  readonly situations?: readonly BankSituation[];
};

/** The cells of a statement by column, and the place that errors name. */
export type StatementCells = { readonly cells: Readonly<Record<string, string>>; readonly where: string };

const formLimits = {
  statements: 2_000,
  scales: 100,
  options: 10,
  statements_of_scale: 3,
  characters: 1_000,
  word: 100,
} as const;

/**
 * Reads the statements of a bank and checks them.
 *
 * @throws OperatorError that names the place and the column of the first error.
 */
export function buildForm(file: string, rows: readonly StatementCells[]): BankForm {
  if (rows.length === 0) throw new OperatorError(`${file} has no statements`);
  if (rows.length > formLimits.statements)
    throw new OperatorError(`${file} has more than ${formLimits.statements} statements`);
  const read = rows.map((row) => ({ ...row, statement: parseStatement(row) }));
  const scales = new Map<string, ReadStatement>();
  const ids = new Set<string>();
  for (const each of read) {
    const { statement, where } = each;
    // Two ids that look the same would be one column for the person who fills in a file.
    const id = statement.item_id.normalize('NFC');
    if (ids.has(id)) throw new OperatorError(`${where}, column item_id: "${id}" is there twice`);
    ids.add(id);
    const first = scales.get(statement.scale) ?? each;
    scales.set(statement.scale, first);
    requireSameScale(first, each);
  }
  requireEnemies(read, ids);
  requireLengths(file, read, scales);
  return {
    scales: [...scales].map(([scale, { cells }]) => ({ scale, trait: readTrait(cells) })),
    statements: read.map(({ statement }) => statement),
  };
}

/** The columns of a file of answers beside those of statements. */
const reservedIds: ReadonlySet<string> = new Set(['person', 'language']);

type ReadStatement = StatementCells & { readonly statement: BankStatement };

function parseStatement(row: StatementCells): BankStatement {
  const { cells, where } = row;
  const read = (column: string) => (cells[column] ?? '').trim();
  const fail = (column: string, reason: string): never => {
    throw new OperatorError(`${where}, column ${column}: "${read(column).slice(0, 40)}" ${reason}`);
  };
  for (const column of ['item_id', 'scale'])
    if (!/^[\p{L}\p{N}][^\p{C}]{0,99}$/u.test(read(column)))
      fail(column, 'is not a name of 1 to 100 characters that begins with a letter or a digit');
  if (reservedIds.has(read('item_id'))) fail('item_id', 'is the name of another column of answers');
  const sign = { '+': '+', '1': '+', '+1': '+', '-': '-', '-1': '-' }[read('sign')] as '+' | '-' | undefined;
  const range = parseOptions(read('options'));
  if (!['', 'asked', 'retired', 'seeded'].includes(read('status')))
    fail('status', 'is neither asked nor retired nor seeded');
  if (!['', 'yes'].includes(read('may_not_apply'))) fail('may_not_apply', 'is neither yes nor empty');
  if (!['', 'null'].includes(read('trait')) && !isTraitCode(read('trait'))) fail('trait', 'is not a trait');
  const enemies = read('enemies').split(/\s+/).filter(Boolean);
  if (
    hasHiddenCharacters(read('options')) ||
    (readWords(read('options')) ?? []).some((word) => word.length > formLimits.word)
  )
    fail('options', `has a word of more than ${formLimits.word} characters, or characters that nobody sees`);
  const text = readTexts(row);
  const option_words = readOptionWords(row, text, range?.count ?? 0);
  return {
    item_id: read('item_id'),
    scale: read('scale'),
    sign: sign ?? fail('sign', 'is neither + nor -'),
    options: range
      ? read('options')
      : fail(
          'options',
          `is not a number of options from 2 to ${formLimits.options}, a range such as 0-4, or words with | between them`,
        ),
    text,
    ...(Object.keys(option_words).length > 0 && { option_words }),
    ...(enemies.length > 0 && { enemies }),
    ...(read('may_not_apply') === 'yes' && { may_not_apply: true as const }),
    ...(read('status') === 'retired' && { retired: true as const }),
    ...(read('status') === 'seeded' && { seeded: true as const }),
    ...readParameters(row, range?.count ?? 0),
  };
}

/** Reads the texts of a row by language. @throws OperatorError for one that is too long or has characters that nobody sees. */
export function readTexts(row: StatementCells): BankStatement['text'] {
  const texts = listLanguageCells(row, 'text').map(([language, column, text]) => {
    if (text.length > formLimits.characters)
      throw new OperatorError(
        `${row.where}, column ${column}: the text is longer than ${formLimits.characters} characters`,
      );
    return [language, text] as const;
  });
  return Object.fromEntries(texts);
}

/** Reads the words of the options by language, as `options:de` has them. */
function readOptionWords(
  row: StatementCells,
  text: BankStatement['text'],
  options: number,
): NonNullable<BankStatement['option_words']> {
  const count = options + (row.cells['may_not_apply']?.trim() === 'yes' ? 1 : 0);
  const words = listLanguageCells(row, 'options').map(([language, column, cell]) => {
    const given = cell.split('|').map((word) => word.trim());
    if (given.length !== count || given.some((word) => word === '' || word.length > formLimits.word))
      throw new OperatorError(
        `${row.where}, column ${column}: ${count} options with | between them are needed, each of at most ${formLimits.word} characters`,
      );
    if (text[language] === undefined)
      throw new OperatorError(`${row.where}, column ${column}: the statement has no text in this language`);
    return [language, given] as const;
  });
  return Object.fromEntries(words);
}

/** Lists the cells of the columns `text:en` or `options:en` of a row that are not empty: the language, the column, and what the cell has. */
function listLanguageCells({ cells, where }: StatementCells, name: 'text' | 'options') {
  return Object.entries(cells).flatMap(([column, cell]) => {
    if (!column.startsWith(`${name}:`) || cell.trim() === '') return [];
    const language = column.slice(name.length + 1);
    if (!isLanguageCode(language))
      throw new OperatorError(
        `${where}, column ${column.slice(0, 40)}: this is not the code of a language, such as de or pt-BR`,
      );
    if (hasHiddenCharacters(cell.trim()))
      throw new OperatorError(
        `${where}, column ${column}: the text has a line break or a character that nobody sees`,
      );
    return [[language, column, cell.trim()] as const];
  });
}

/** Controls, and marks that turn the direction of a text: a member would read something else than is stored. */
function hasHiddenCharacters(text: string): boolean {
  return /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text);
}

/** Reads the judged parameters; a statement has all of them or none. */
function readParameters({ cells, where }: StatementCells, options: number) {
  const columns = ['discrimination', ...Array.from({ length: options - 1 }, (_, k) => `threshold:${k + 1}`)];
  const given = columns.filter((column) => (cells[column] ?? '').trim() !== '');
  if (given.length === 0) return {};
  const [discrimination, ...thresholds] = columns.map((column) => {
    const cell = (cells[column] ?? '').trim();
    const value = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell) ? Number(cell) : Number.NaN;
    if (!Number.isFinite(value) || Math.abs(value) > 100)
      throw new OperatorError(`${where}, column ${column}: this is not a parameter`);
    return value;
  });
  const isAscending = thresholds.every((value, k) => k === 0 || value > thresholds[k - 1]!);
  if (!isAscending || discrimination! <= 0)
    throw new OperatorError(
      `${where}, column ${columns[isAscending ? 0 : 1]}: a discrimination is positive, and thresholds ascend`,
    );
  return { discrimination: discrimination!, thresholds };
}

function readTrait(cells: StatementCells['cells']): TraitCode | null {
  const trait = (cells['trait'] ?? '').trim();
  return isTraitCode(trait) ? trait : null;
}

function requireSameScale(first: ReadStatement, { statement, cells, where }: ReadStatement): void {
  if (statement.options !== first.statement.options)
    throw new OperatorError(
      `${where}, column options: "${statement.options.slice(0, 40)}" differs from "${first.statement.options.slice(0, 40)}" of the same scale (${first.where})`,
    );
  if (readTrait(cells) !== readTrait(first.cells))
    throw new OperatorError(`${where}, column trait: differs from that of the same scale (${first.where})`);
}

function requireEnemies(read: readonly ReadStatement[], ids: ReadonlySet<string>): void {
  for (const { statement, where } of read) {
    const unknown = statement.enemies?.find((id) => !ids.has(id) || id === statement.item_id);
    if (unknown !== undefined)
      throw new OperatorError(`${where}, column enemies: "${unknown.slice(0, 40)}" is no other statement`);
  }
}

function requireLengths(
  file: string,
  read: readonly ReadStatement[],
  scales: ReadonlyMap<string, ReadStatement>,
): void {
  if (scales.size > formLimits.scales)
    throw new OperatorError(`${file} has more than ${formLimits.scales} scales`);
  for (const [scale, { where }] of scales) {
    const count = read.filter(
      ({ statement }) => statement.scale === scale && !statement.retired && !statement.seeded,
    ).length;
    if (count < formLimits.statements_of_scale)
      throw new OperatorError(
        `${where}, column scale: "${scale}" has ${count === 1 ? '1 statement' : `${count} statements`}, but a scale needs at least ${formLimits.statements_of_scale}`,
      );
  }
}

/** The answers to a statement: whole numbers from `lowest` on. */
export type OptionRange = { readonly lowest: number; readonly count: number };

/** The words that members see for options that a file only numbers: of two to seven, without or with a middle. */
const agreementWords: Readonly<Record<number, readonly string[]>> = {
  2: ['Disagree', 'Agree'],
  3: ['Disagree', 'Neither agree nor disagree', 'Agree'],
  4: ['Strongly disagree', 'Disagree', 'Agree', 'Strongly agree'],
  5: agreementScale,
  6: ['Strongly disagree', 'Disagree', 'Slightly disagree', 'Slightly agree', 'Agree', 'Strongly agree'],
  7: [
    'Strongly disagree',
    'Disagree',
    'Slightly disagree',
    'Neither agree nor disagree',
    'Slightly agree',
    'Agree',
    'Strongly agree',
  ],
};

/** Reads the words of options; undefined if they are only numbered. */
function readWords(options: string): readonly string[] | undefined {
  const words = options.split(/[|;,]/).map((word) => word.trim());
  return words.length > 1 && words.some((word) => !/^\d+$/.test(word)) && !/^\d+\s*-\s*\d+$/.test(options)
    ? words
    : undefined;
}

/** Names numbered options by agreement, in English. Longer scales only have the ends in words. */
function listAgreementWords(count: number): readonly string[] {
  return (
    agreementWords[count] ?? [
      'Strongly disagree',
      ...Array.from({ length: count - 2 }, (_, index) => String(index + 2)),
      'Strongly agree',
    ]
  );
}

/** Finds the language that a form was written in, of which the words in the column `options` are: English, or else the first one by its code. */
export function findOwnLanguage({ statements }: BankForm): string {
  const languages = new Set(statements.flatMap(({ text }) => Object.keys(text)));
  return languages.has(english) || languages.size === 0 ? english : [...languages].toSorted()[0]!;
}

/**
 * Lists what members read of a statement, by language. A language without the text, or without words for the options, is not among them, so that
 * no member reads two languages: options that are only numbered have words in English alone.
 */
function listTranslations(
  statement: BankStatement,
  own_language: string,
): Readonly<Record<string, Translation>> {
  const { text, option_words = {}, may_not_apply } = statement;
  const { count } = requireOptions(statement);
  const words = readWords(statement.options);
  const entries = Object.entries(text).flatMap(([language, statementText]): [string, Translation][] => {
    const given = option_words[language];
    if (given) {
      const skip = may_not_apply && { skip: given[count]! };
      return [[language, { text: statementText, options: given.slice(0, count), ...skip }]];
    }
    const isWorded = language === own_language && words !== undefined;
    const isEnglish = language === english && words === undefined;
    // The words of the option that skips a statement are built in for English alone.
    if (!(isWorded || isEnglish) || (may_not_apply && language !== english)) return [];
    const options = words ?? listAgreementWords(count);
    return [[language, { text: statementText, ...(options !== agreementScale && { options }) }]];
  });
  return Object.fromEntries(entries);
}

/** Reads `6`, `0-4` or `No|Perhaps|Yes`; undefined if it is none of these. */
export function parseOptions(options: string): OptionRange | undefined {
  const [, from, to] = /^(\d{1,2})\s*-\s*(\d{1,2})$/.exec(options) ?? [];
  const words = options.split(/[|;,]/).map((word) => word.trim());
  const isNumber = /^\d{1,2}$/.test(options);
  const lowest = from !== undefined ? Number(from) : isNumber ? 1 : readFirstNumber(words);
  const count =
    from !== undefined ? Number(to) - Number(from) + 1 : isNumber ? Number(options) : words.length;
  const isComplete = from !== undefined || isNumber || words.every((word) => word !== '');
  return isComplete && count >= 2 && count <= formLimits.options ? { lowest, count } : undefined;
}

/** The number of the first of several options: their own if they are consecutive numbers, and otherwise 1. */
function readFirstNumber(words: readonly string[]): number {
  const first = Number(words[0]);
  return Number.isInteger(first) && words.every((word, index) => Number(word) === first + index) ? first : 1;
}

/** Reads the options of a statement that was checked. */
export function requireOptions({ options }: BankStatement): OptionRange {
  const range = parseOptions(options);
  if (!range) throw new Error(`the options "${options}" were not checked`);
  return range;
}

/**
 * Builds the item of a statement as it is read in a language, with its judged parameters. Without them: a usual discrimination, and thresholds evenly
 * spaced over the middle of the population. A statement without words in this language, of a bank that nobody is asked, has those of another one.
 */
export function buildItem(
  statement: BankStatement,
  own_language: string = english,
  language: string = own_language,
): GradedItem<string> {
  const { item_id, scale, sign, text, may_not_apply, discrimination = 1.3 } = statement;
  const { count } = requireOptions(statement);
  const translations = listTranslations(statement, own_language);
  const options = readWords(statement.options) ?? listAgreementWords(count);
  const untranslated = {
    text: text[language] ?? Object.values(text)[0] ?? item_id,
    ...(options !== agreementScale && { options }),
  };
  return {
    id: item_id,
    trait: scale,
    ...(Object.hasOwn(translations, language) ? translations[language]! : untranslated),
    ...(sign === '-' && { reversed: true as const }),
    ...(may_not_apply && { may_not_apply }),
    translations,
    discrimination,
    thresholds: statement.thresholds ?? spreadThresholds(count - 1),
  };
}

/** Spaces thresholds evenly over the middle of the population. */
function spreadThresholds(steps: number): readonly number[] {
  return Array.from({ length: steps }, (_, index) => (4 * (index + 0.5)) / steps - 2);
}
