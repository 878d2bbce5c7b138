import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { loadBankVersion, type BankVersion } from '../banks/bank-version.ts';
import { storeDerivedVersion } from '../banks/derive-version.ts';
import { compareFunctioning, createPacker } from '../functioning/compare-functioning.ts';
import { listParameters, type ItemBank, type LanguageParameters } from '../items/bank.ts';
import type { Answer } from '../items/item.ts';
import { english } from '../items/languages.ts';
import { listBankLanguages } from '../items/translate-bank.ts';
import type { ItemReport } from './calibrate-bank.ts';
import { calibratePart, moveOntoScale } from './move-onto-scale.ts';
import { readBothLanguages, type AnswersOfBoth } from './read-both-languages.ts';

type AddedLanguage = {
  readonly bank: string;
  /** The version that knows how the statements work in the language. */
  readonly version: string;
  readonly is_new: boolean;
  readonly language: string;
  readonly respondents: { readonly language: number; readonly compared_with: number };
  /** Statements that work as in the language of the bank. They retain their parameters. */
  readonly alike: readonly string[];
  /** Statements that work otherwise, with parameters of their own. */
  readonly own: readonly Pick<ItemReport, 'item_id' | 'discrimination' | 'thresholds' | 'standard_errors'>[];
  /** Statements about which the answers say too little. Their results carry wider bounds, as before. */
  readonly open: readonly string[];
};

/**
 * Finds out from answers in both ({@link readBothLanguages}) how the statements of a bank work in another language than that of its parameters, and stores the version that
 * knows it: statements that work alike retain their parameters; those that do not have their own, calibrated with the answers in this language and put onto the scale
 * by the others. A comparison needs 200 answers in one language and 500 in both, as among members.
 *
 * @throws OperatorError for an unknown bank, version or language, a file that cannot be read, or too few answers to compare any statement.
 */
export async function addLanguage(
  platform: Pick<Platform, 'database' | 'memory' | 'now'>,
  { language = '', csv, answers: source, ...input }: Readonly<Record<string, string>>,
  output: ProgressOutput = process.stderr,
): Promise<AddedLanguage> {
  const version = await loadBankVersion(platform, input);
  const { bank, items } = version;
  requireOtherLanguage(version, language);
  const answers = await readBothLanguages(platform, version, { language, csv, answers: source });
  const { alike, differing } = await compareLanguages(answers, items, { language, output });
  const own = calibrateDiffering(items, answers.focal, { alike, differing });
  const known = new Set([...alike, ...own.map(({ item_id }) => item_id)]);
  const compared: LanguageParameters[string] = {
    alike,
    items: Object.fromEntries(
      own.map(({ item_id, discrimination, thresholds, standard_errors }) => [
        item_id,
        { discrimination, thresholds, standard_errors },
      ]),
    ),
  };
  const stored = await storeLanguage(platform, version, { language, compared });
  return {
    bank,
    ...stored,
    language,
    respondents: { language: answers.focal.length, compared_with: answers.reference.length },
    alike,
    own: own.map(({ item_id, discrimination, thresholds, standard_errors }) => ({
      item_id,
      discrimination,
      thresholds,
      standard_errors,
    })),
    open: items.graded.flatMap(({ id }) => (known.has(id) ? [] : [id])),
  };
}

function requireOtherLanguage({ items }: BankVersion, language: string): void {
  if (language === (items.language ?? english))
    throw new OperatorError(`${language} is the language of the parameters of this version`);
  if (!listBankLanguages(items).includes(language))
    throw new OperatorError(
      `not every statement of this version has its text and its options in ${language.slice(0, 40)}; "items seed" makes a version of the statements that were imported last`,
    );
}

type Compared = { readonly alike: readonly string[]; readonly differing: ReadonlySet<string> };

async function compareLanguages(
  { source, focal, reference }: AnswersOfBoth,
  items: ItemBank<string>,
  { language, output }: { readonly language: string; readonly output: ProgressOutput },
): Promise<Compared> {
  const packPerson = createPacker(items);
  const people = Object.entries({ focal, reference }).flatMap(([group, answerSets]) =>
    answerSets.map((answers) => packPerson({ language: group }, answers)),
  );
  const comparisons = await compareFunctioning(people, items, {
    showProgress: createProgressBar('comparing', output),
  });
  const judged = comparisons.flatMap((each) => each.judged);
  if (judged.length === 0)
    throw new OperatorError(
      `${source}: no statement has 200 answers in one language and 500 in both; there are ${focal.length} people with ${language} and ${reference.length} others`,
    );
  const differing = judged.filter(({ item_class }) => item_class !== 'small').map(({ item_id }) => item_id);
  const isAsked = ({ item_id }: { readonly item_id: string }) =>
    items.graded.some(({ id }) => id === item_id);
  const alike = judged.filter((each) => each.item_class === 'small' && isAsked(each));
  return { alike: alike.map(({ item_id }) => item_id).toSorted(), differing: new Set(differing) };
}

/** Calibrates the statements that work otherwise with the answers in the language, and puts them onto the scale by those that work alike. */
function calibrateDiffering(
  items: ItemBank<string>,
  answerSets: readonly (readonly Answer[])[],
  { alike, differing }: Compared,
): readonly ItemReport[] {
  const compared = new Set([...alike, ...differing]);
  const scales = new Set(items.graded.flatMap(({ id, trait }) => (differing.has(id) ? [trait] : [])));
  const graded = items.graded.filter(({ id, trait }) => scales.has(trait) && compared.has(id));
  if (graded.length === 0) return [];
  return calibratePart(items, graded, answerSets).flatMap(
    (each) => moveOntoScale(each.items, ({ item_id }) => differing.has(item_id), items.itemsById).moved,
  );
}

function storeLanguage(
  platform: Pick<Platform, 'database' | 'now'>,
  from: BankVersion,
  { language, compared }: { readonly language: string; readonly compared: LanguageParameters[string] },
): Promise<Pick<AddedLanguage, 'version' | 'is_new'>> {
  const { name: _, decisions: __, ...undecided } = from.items;
  const languages = { ...from.items.languages, [language]: compared };
  return storeDerivedVersion(platform, from, {
    parameters: listParameters({ ...undecided, languages }),
    report: { language_added_to: from.items.parameter_version },
    action: 'items.language_added',
    detail: { language },
  });
}
