import type { Platform } from '#platform/platform.ts';
import { importBank, useParameters } from '#modules/measurement/traits';
import { addStatements } from '../../src/modules/measurement/traits/banks/add-statements.ts';
import { itemBank } from '../../src/modules/measurement/traits/items/item-bank.ts';
import { readOwnForm } from '../../src/modules/measurement/traits/items/tessera-form.ts';
import { createFileWriter } from './banks.ts';

/** The options of the translation of our own bank. */
export const translatedOptions = ['Gar nicht', 'Eher nicht', 'Teils, teils', 'Eher ja', 'Ganz'] as const;

const { statements, situations } = readOwnForm();
const translate = (text: Readonly<Record<string, string>>) => ({ ...text, de: `DE ${text['en']!}` });

/** Our own bank as an operator has it translated: each text after a mark, instead of by a translator. */
export const ownTranslation = {
  items: statements.map((each) => ({
    item_id: each.item_id,
    text: translate(each.text),
    option_words: {
      de: each.may_not_apply ? [...translatedOptions, 'Trifft nicht zu'] : [...translatedOptions],
    },
  })),
  situations: situations.map((each) => ({
    ...each,
    text: translate(each.text),
    options: each.options.map(({ value, text }) => ({ value, text: translate(text) })),
  })),
};

/** Translates our own bank, and puts the version that knows it into use. */
export async function useOwnTranslation(
  platform: Pick<Platform, 'database' | 'memory' | 'now' | 'queue'>,
): Promise<void> {
  const write = await createFileWriter();
  await importBank(platform, {
    file: await write('own.json', JSON.stringify(ownTranslation)),
    name: 'tessera',
  });
  const { version } = await addStatements(platform, {
    bank: 'tessera',
    version: itemBank.parameter_version,
  });
  await useParameters(platform, { bank: 'tessera', version });
}
