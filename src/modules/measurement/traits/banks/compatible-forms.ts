import { writeCanonicalJson } from '#lib/canonical-json.ts';
import type { Reader } from '#platform/database/database.ts';
import type { BankForm, BankStatement } from '../items/bank-form.ts';
import { itemBank } from '../items/item-bank.ts';
import { ownBank } from '../parameters/store.ts';
import { listForms, listFormVersions } from './store.ts';

const forms_max = 100;

/**
 * Lists the versions of a bank's statements whose answers mean the same as those to this form: every statement that both have is the same, perhaps in more
 * languages or with another status. So answers from before a language or new statements go on counting. An id of our own bank never changes its meaning.
 */
export async function listCompatibleForms(
  db: Reader,
  bank: string,
  form: BankForm,
): Promise<readonly string[]> {
  if (bank === ownBank) return [itemBank.version, ...(await listFormVersions(db, bank, forms_max))];
  const known = new Map(form.statements.map((each) => [each.item_id, each]));
  const isCompatible = (statements: readonly BankStatement[]) =>
    statements.every((each) => {
      const now = known.get(each.item_id);
      return now === undefined || isSameStatement(each, now);
    });
  const stored = await listForms(db, bank, forms_max);
  return stored.filter((each) => isCompatible(each.form.statements)).map(({ form_version }) => form_version);
}

/** Whether two statements are the same in each language that both have. */
export function isSameStatement(one: BankStatement, other: BankStatement): boolean {
  const read = (of: BankStatement, beside: BankStatement) =>
    writeCanonicalJson({
      scale: of.scale,
      sign: of.sign,
      options: of.options,
      text: pickKeys(of.text, beside.text),
      option_words: pickKeys(of.option_words ?? {}, beside.option_words ?? {}),
    });
  return read(one, other) === read(other, one);
}

function pickKeys(words: Readonly<Record<string, unknown>>, keys: object): object {
  return Object.fromEntries(Object.entries(words).filter(([key]) => Object.hasOwn(keys, key)));
}
