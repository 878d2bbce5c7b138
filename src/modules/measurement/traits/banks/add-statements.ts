import { writeCanonicalJson } from '#lib/canonical-json.ts';
import { recordAudit } from '#modules/operations/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { listParameters, replaceParameters, type ItemBank } from '../items/bank.ts';
import type { BankForm, BankStatement } from '../items/bank-form.ts';
import { buildUncalibrated } from '../items/build-bank.ts';
import { english } from '../items/languages.ts';
import { buildOwnBank } from '../items/own-bank.ts';
import { insertParameterVersion, ownBank } from '../parameters/store.ts';
import { buildParameterVersion, loadBankVersion, requireForm } from './bank-version.ts';
import { isSameStatement } from './compatible-forms.ts';

type SeededVersion = {
  readonly bank: string;
  /** The version with the new statements, which scores as before. */
  readonly version: string;
  readonly is_new: boolean;
  readonly seeded: readonly string[];
};

/**
 * Makes a version with the statements that were imported last from a version with earlier ones: what it knows has the same parameters and perhaps more
 * languages, and the new statements, of the status `seeded`, count nothing. In use, it asks them of volunteers among the others.
 *
 * @throws OperatorError for an unknown bank or version, or statements that are changed, missing, or new without the status.
 */
export async function addStatements(
  platform: Pick<Platform, 'database' | 'memory' | 'now'>,
  input: Readonly<Record<string, string>>,
): Promise<SeededVersion> {
  const { bank, form: earlier, items, respondents, norms } = await loadBankVersion(platform, input);
  const newest = await requireForm(platform, bank);
  const seeded = requireSeeded(bank, earlier, newest.form);
  // Decisions about statements are applied to what is put into use, so that one can still be undone.
  const { name: _, decisions: __, ...known } = items;
  const uncalibrated: ItemBank<string> =
    bank === ownBank ? buildOwnBank(newest) : buildUncalibrated(newest, items.language);
  requireReadable(bank, uncalibrated);
  const merged = replaceParameters(
    uncalibrated,
    uncalibrated.version,
    items.provisional,
    listParameters(known),
  );
  const parameters = listParameters(merged);
  const version = buildParameterVersion(uncalibrated.version, parameters);
  const now = platform.now();
  const is_new = await platform.database.transaction(async (tx) => {
    const isNew = await insertParameterVersion(tx, {
      bank,
      version,
      item_bank_version: uncalibrated.version,
      provisional: items.provisional,
      base_version: null,
      parameters,
      respondents,
      report: { norms, seeded_from: items.parameter_version },
      created_at: now,
    });
    const detail = { bank, version, seeded: seeded.length };
    if (isNew) await recordAudit(tx, { now, actor: null, action: 'items.seeded', detail });
    return isNew;
  });
  return { bank, version, is_new, seeded };
}

/** @throws OperatorError for a new statement that volunteers could not read in the language of the bank. */
function requireReadable(bank: string, { seeded = [], language = english }: ItemBank<string>): void {
  const lacking = seeded.find(({ translations = {} }) => translations[language] === undefined);
  if (lacking)
    throw new OperatorError(
      `the statement ${lacking.id} of "${bank}" has no text or no options in ${language}, the language of this version`,
    );
}

/** Lists the new statements. @throws OperatorError unless the others are the same. */
function requireSeeded(bank: string, earlier: BankForm, newest: BankForm): readonly string[] {
  const { statements } = newest;
  const known = new Map(earlier.statements.map((each) => [each.item_id, each]));
  const present = new Set(statements.map(({ item_id }) => item_id));
  const gone = earlier.statements.find(({ item_id }) => !present.has(item_id));
  if (gone)
    throw new OperatorError(`the statements of "${bank}" that were imported last lack ${gone.item_id}`);
  const changed = statements.find((each) => {
    const before = known.get(each.item_id);
    return before !== undefined && !isSame(bank, before, each);
  });
  if (changed)
    throw new OperatorError(
      known.get(changed.item_id)!.seeded && !changed.seeded
        ? `the statement ${changed.item_id} of "${bank}" was taken up since this version; name a version that counts it`
        : `the statement ${changed.item_id} of "${bank}" has changed since this version; give it another id`,
    );
  const added = statements.filter(({ item_id }) => !known.has(item_id));
  const unmarked = added.find(({ seeded }) => !seeded);
  if (unmarked)
    throw new OperatorError(
      `the statement ${unmarked.item_id} of "${bank}" is new: give it the status seeded`,
    );
  const seeded = statements.filter((each) => each.seeded);
  if (seeded.length === 0 && writeCanonicalJson(newest) === writeCanonicalJson(earlier))
    throw new OperatorError(`"${bank}" has no statements of the status seeded, and no new languages`);
  return seeded.map(({ item_id }) => item_id);
}

/** Whether a statement is the same as before, with all its languages. It may have more, and a later program may have retired one of our own. */
function isSame(bank: string, before: BankStatement, now: BankStatement): boolean {
  const isRetiredByProgram = bank === ownBank && now.retired === true;
  const hasAll = [
    [before.text, now.text],
    [before.option_words ?? {}, now.option_words ?? {}],
  ].every(([had, has]) => Object.keys(had!).every((language) => Object.hasOwn(has!, language)));
  return (
    hasAll &&
    isSameStatement(before, now) &&
    (isRetiredByProgram || (before.retired === true) === (now.retired === true)) &&
    (before.seeded === true) === (now.seeded === true)
  );
}
