import type { ItemParameters } from '@tessera/psychometrics';
import { indexBank, type BankErrors, type ItemBank } from './bank.ts';
import type { GradedItem, ParameterErrors, Scenario } from './item.ts';
import { english } from './languages.ts';

/**
 * The errors of a translation whose answers were never compared: those of another questionnaire of the same construct (docs/decisions/languages.md), which a
 * translation of the same statements hardly exceeds.
 */
const untested: BankErrors = {
  shared: { location: 0.4, log_discrimination: 0.15 },
  items: { location: 0.4, log_discrimination: 0.35 },
};

/** The same for how popular a way of acting is in a situation, as a logarithm: a factor of 1.7, as between ratings and choices of one language. */
const untested_popularity = 0.5;

/**
 * Lists the languages in which everything that a bank asks can be read: that of its parameters first, the others by their codes. A language in which a
 * statement is missing is none of them.
 */
export function listBankLanguages({ graded, scenarios, language = english }: ItemBank<string>): string[] {
  const [first, ...others] = graded.map(({ translations = {} }) => new Set(Object.keys(translations)));
  const shared = [...(first ?? [])].filter((each) => others.every((languages) => languages.has(each)));
  const readable = shared.filter((each) => scenarios.every(({ translations }) => translations[each]));
  return readable.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));

  function rank(each: string): number {
    return each === language ? 0 : 1;
  }
}

/**
 * Returns a bank as it is read in another language. A statement that was shown to work alike retains its parameters; one that was shown to work otherwise has
 * its own; all others have the errors of a translation that was never compared, so that results carry wider bounds, and the bank is provisional. New
 * statements without a text in this language are not asked in it.
 */
export function translateBank<Trait extends string>(
  bank: ItemBank<Trait>,
  language: string,
): ItemBank<Trait> {
  if (language === (bank.language ?? english)) return bank;
  const { alike = [], items = {} } = bank.languages?.[language] ?? {};
  const known = new Set(alike);
  const translate = (item: GradedItem<Trait>): GradedItem<Trait> => {
    const parameters = Object.hasOwn(items, item.id)
      ? items[item.id]
      : !known.has(item.id) && addTranslationErrors(item, bank.errors.items);
    const { options: _, skip: __, ...read } = item;
    return { ...read, ...item.translations?.[language], ...parameters };
  };
  const isCompared = bank.graded.every(({ id }) => known.has(id) || Object.hasOwn(items, id));
  const seeded = bank.seeded?.filter(({ translations }) => translations?.[language] !== undefined);
  return indexBank({
    ...bank,
    language,
    provisional: bank.provisional || !isCompared,
    graded: bank.graded.map(translate),
    ...(bank.retired && { retired: bank.retired.map(translate) }),
    ...(seeded && { seeded: seeded.map(translate) }),
    scenarios: bank.scenarios.map((scenario) => translateSituation(scenario, language)),
    errors: isCompared
      ? bank.errors
      : { ...bank.errors, shared: addErrors(bank.errors.shared, untested.shared) },
  });
}

/** Returns a situation as it is read in another language. No comparison says how its translation works, so that the error stays. */
function translateSituation(scenario: Scenario, language: string): Scenario {
  const read = scenario.translations[language];
  const { options, choice } = scenario;
  return {
    ...scenario,
    ...(read && {
      text: read.text,
      options: options.map(({ value }, place) => ({ value, text: read.options[place]! })),
    }),
    choice: { ...choice, norm_error: Math.hypot(choice.norm_error, untested_popularity) },
  };
}

/** Adds the errors of a translation to those of the parameters. */
function addTranslationErrors(
  { discrimination, thresholds, standard_errors }: GradedItem<string>,
  items: ParameterErrors,
): { readonly standard_errors: ItemParameters } {
  const own = standard_errors ?? {
    discrimination: discrimination * items.log_discrimination,
    thresholds: thresholds.map(() => items.location),
  };
  return {
    standard_errors: {
      discrimination: Math.hypot(own.discrimination, discrimination * untested.items.log_discrimination),
      thresholds: own.thresholds.map((error) => Math.hypot(error, untested.items.location)),
    },
  };
}

function addErrors(one: ParameterErrors, other: ParameterErrors): ParameterErrors {
  return {
    location: Math.hypot(one.location, other.location),
    log_discrimination: Math.hypot(one.log_discrimination, other.log_discrimination),
  };
}
