import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { readAnswerTable } from '../banks/answer-table.ts';
import { listAnswerRanges, type BankVersion } from '../banks/bank-version.ts';
import { listCompatibleForms } from '../banks/compatible-forms.ts';
import { findOwnLanguage } from '../items/bank-form.ts';
import type { Answer } from '../items/item.ts';
import { english } from '../items/languages.ts';
import { ownBank, type CompleteAnswers } from '../parameters/store.ts';
import { listAnswers, listPublicTests } from '../volunteers/collect-public-answers.ts';
import { listMemberAnswers } from './list-member-answers.ts';
import { respondentLimits } from './respondents.ts';
import { sampleEvenly } from './trait-correlations.ts';

type AnswerSets = readonly (readonly Answer[])[];

/** The answers in a language and in that of the parameters, and where they are from, as messages name it. */
export type AnswersOfBoth = {
  readonly source: string;
  readonly focal: AnswerSets;
  readonly reference: AnswerSets;
};

type Database = Pick<Platform, 'database'>;
/** Reads the answers by the language in which the statements were read. */
type ReadLanguages = (platform: Database, version: BankVersion) => Promise<(language: string) => AnswerSets>;

/**
 * Reads the answers in two languages: of a file with the column `language` (`csv`), of volunteers (`answers` "public"), or of members ("members"). Of more than
 * `respondentLimits.most` in a language, as many evenly spread.
 *
 * @throws OperatorError for no source or two, a file that cannot be read, or a language without any answers.
 */
export async function readBothLanguages(
  platform: Database,
  version: BankVersion,
  {
    language,
    csv,
    answers,
  }: Readonly<{ language: string; csv: string | undefined; answers: string | undefined }>,
): Promise<AnswersOfBoth> {
  const { source, read } = selectSource(csv, answers);
  const list = await read(platform, version);
  const own = version.items.language ?? english;
  const [focal, reference] = [language, own].map((each) =>
    sampleEvenly(
      list(each).filter(({ length }) => length > 0),
      respondentLimits.most,
    ),
  ) as [AnswerSets, AnswerSets];
  if (focal.length === 0 || reference.length === 0)
    throw new OperatorError(
      `${source}: respondents of both ${language} and ${own} are needed, but there are ${focal.length} and ${reference.length}`,
    );
  return { source, focal, reference };
}

function selectSource(csv: string | undefined, answers: string | undefined) {
  if (csv !== undefined && answers === undefined)
    return { source: `${csv}, column language`, read: createFileReader(csv) };
  if (csv === undefined && answers === 'public')
    return { source: 'the answers of volunteers', read: readPublicAnswers };
  if (csv === undefined && answers === 'members')
    return { source: 'the answers of members', read: readMemberAnswers };
  throw new OperatorError('name one source of answers: --csv <file>, --answers public or --answers members');
}

function createFileReader(csv: string): ReadLanguages {
  return async (_, { form }) => {
    const { people, languages, listAnswers } = await readAnswerTable(csv, listAnswerRanges(form));
    return (wanted) =>
      [...people.keys()].filter((row) => languages[row] === wanted).map((row) => listAnswers(row));
  };
}

/** Reads the first tests of volunteers: a person counts once. */
const readPublicAnswers: ReadLanguages = async (platform, { bank, form }) => {
  const versions = await listCompatibleForms(platform.database, bank, form);
  const own = findOwnLanguage(form);
  const tests = (await listPublicTests(platform.database, versions)).filter(
    (test) => test.first_id === null && isCareful(test),
  );
  return (wanted) => tests.filter(({ language }) => (language ?? own) === wanted).map(listAnswers);
};

/** Reads the last complete answers of members who consent. */
const readMemberAnswers: ReadLanguages = async ({ database }, { bank, form }) => {
  const versions = bank === ownBank ? null : await listCompatibleForms(database, bank, form);
  const own = findOwnLanguage(form);
  const members: CompleteAnswers[] = [];
  for await (const each of listMemberAnswers(database, versions)) if (isCareful(each)) members.push(each);
  return (wanted) =>
    members.filter(({ language }) => (language ?? own) === wanted).map(({ answers }) => answers);
};

/** Whether nothing says that somebody answered carelessly. */
const isCareful = ({ quality_flags }: { readonly quality_flags: readonly string[] }) =>
  quality_flags.length === 0;
