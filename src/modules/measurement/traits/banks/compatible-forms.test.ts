import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { bilingualBankCsv, createFileWriter, smallBankCsv } from '#test/modules/banks.ts';
import { itemBank } from '../items/item-bank.ts';
import { readOwnForm } from '../items/tessera-form.ts';
import { findNewestForm } from '../parameters/store.ts';
import { listCompatibleForms } from './compatible-forms.ts';
import { importBank } from './import-bank.ts';

const app = await startApp();
const write = await createFileWriter();

/** Imports statements as another version of the bank. @returns its name and the statements. */
async function importForm(name: string, content: string) {
  app.clock.advance(1_000);
  await importBank(app.platform, { file: await write('bank.csv', content), name });
  return (await findNewestForm(app.platform.database, name))!;
}

test('answers from before a language or a new statement go on counting, and those to another text do not', async () => {
  const first = await importForm('small', smallBankCsv);
  const other = await importForm('small', smallBankCsv.replace('"I am, calm_1."', '"I was, calm_1."'));
  const translated = await importForm('small', bilingualBankCsv);
  const list = async (form = translated.form) =>
    (await listCompatibleForms(app.platform.database, 'small', form)).toSorted();
  expect(await list()).toEqual([first.form_version, translated.form_version].toSorted());
  expect(await list(other.form)).toEqual([other.form_version]);
});

test('all versions of our own statements count, because an id never changes its meaning', async () => {
  const added = await importForm(
    'tessera',
    'item_id,scale,sign,options,status,text:en\ndiscretion_x1,discretion,+,0-4,seeded,I say little.\n',
  );
  expect(await listCompatibleForms(app.platform.database, 'tessera', readOwnForm())).toEqual([
    itemBank.version,
    added.form_version,
  ]);
});
