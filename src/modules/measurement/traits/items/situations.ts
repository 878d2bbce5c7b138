import type { CategoricalTrait } from '../taxonomy.ts';
import { equalChoice, type Scenario, type SituationTexts } from './item.ts';
import { english } from './languages.ts';

/** A situation of our own bank as its file has it: its text by language, and one option for each way of acting in the order that members see. */
export type BankSituation = {
  readonly item_id: string;
  readonly scale: CategoricalTrait;
  readonly text: Readonly<Record<string, string>>;
  readonly options: readonly {
    readonly value: string;
    readonly text: Readonly<Record<string, string>>;
  }[];
};

/** Builds the item of a situation as it is read in English. */
export function buildSituation({ item_id, scale, text, options }: BankSituation): Scenario {
  return {
    id: item_id,
    trait: scale,
    text: text[english]!,
    options: options.map((option) => ({ value: option.value, text: option.text[english]! })),
    choice: equalChoice,
    translations: listTranslations({ text, options }),
  };
}

/** Lists what members read by language. A language in which an option has no text is not among them, so that no member reads two languages. */
function listTranslations({
  text,
  options,
}: Pick<BankSituation, 'text' | 'options'>): Readonly<Record<string, SituationTexts>> {
  const entries = Object.entries(text).flatMap(([language, situation]) => {
    const ways = options.flatMap((option) => option.text[language] ?? []);
    return ways.length < options.length ? [] : [[language, { text: situation, options: ways }] as const];
  });
  return Object.fromEntries(entries);
}
