import { recordAudit } from '#modules/operations/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import type { BankParameters } from '../items/bank.ts';
import type { BankForm, BankStatement } from '../items/bank-form.ts';
import { readOwnForm, type OwnForm } from '../items/tessera-form.ts';
import { findNewestForm, insertParameterVersion, ownBank } from '../parameters/store.ts';
import { buildFormVersion, buildParameterVersion } from './bank-version.ts';
import { readBankFile, type BankFile } from './read-bank-file.ts';
import { readOwnAdditions } from './read-own-additions.ts';
import { insertForm } from './store.ts';

type ImportedBank = {
  readonly bank: string;
  readonly items: number;
  readonly scales: number;
  /** The version of the parameters, if the file is an export. */
  readonly version: string | null;
  /** Whether anything was stored: the same file again changes nothing. */
  readonly is_new: boolean;
};

/**
 * Imports the statements of a bank, and a version of its parameters if the file is an export. A bank that exists gets the new statements; versions that
 * were calibrated with the earlier ones retain these. Our own bank gains new statements and languages ({@link readOwnAdditions}), and loses none.
 *
 * @throws OperatorError for a file or a name that cannot be used. Nothing is stored then.
 */
export async function importBank(
  platform: Pick<Platform, 'database' | 'now'>,
  { file = '', name: bank = '' }: Readonly<Record<string, string>>,
): Promise<ImportedBank> {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/.test(bank))
    throw new OperatorError('--name must be 1 to 50 letters, digits, "-" or "_"');
  const { form, version } = bank === ownBank ? await readOwnFile(platform, file) : await readBankFile(file);
  const form_version = buildFormVersion(bank, form);
  const parameter_version = version && buildParameterVersion(form_version, version.parameters);
  const now = platform.now();
  const is_new = await platform.database.transaction(async (tx) => {
    const isNewForm = await insertForm(tx, { bank, form_version, form, now });
    let isNewVersion = false;
    for (const stored of version ? listVersions(form_version, version.parameters) : [])
      isNewVersion = await insertParameterVersion(tx, {
        ...stored,
        bank,
        item_bank_version: form_version,
        provisional: version!.provisional,
        respondents: version!.respondents,
        report: { norms: version!.norms },
        created_at: now,
      });
    const detail = { bank, version: parameter_version ?? form_version };
    if (isNewForm || isNewVersion)
      await recordAudit(tx, { now, actor: null, action: 'items.imported', detail });
    return isNewForm || isNewVersion;
  });
  const { statements, scales } = form;
  return { bank, items: statements.length, scales: scales.length, version: parameter_version, is_new };
}

/** Reads what a file adds to our own bank, as the program has it or as it was added to before. */
async function readOwnFile({ database }: Pick<Platform, 'database'>, file: string): Promise<BankFile> {
  const known = addEarlier(readOwnForm(), (await findNewestForm(database, ownBank))?.form);
  return { form: await readOwnAdditions(file, known), version: null };
}

/** Adds to our own bank what an installation has added before, perhaps to an earlier program. */
function addEarlier(own: OwnForm, earlier: BankForm | undefined): OwnForm {
  if (!earlier) return own;
  const known = new Map(earlier.statements.map((each) => [each.item_id, each]));
  const places = new Map(earlier.situations?.map((each) => [each.item_id, each]));
  const ids = new Set(own.statements.map(({ item_id }) => item_id));
  return {
    scales: own.scales,
    statements: [
      ...own.statements.map((each) => addLanguages(each, known.get(each.item_id))),
      ...earlier.statements.filter(({ item_id }) => !ids.has(item_id)),
    ],
    situations: own.situations.map((each) => places.get(each.item_id) ?? each),
  };
}

function addLanguages(own: BankStatement, earlier: BankStatement | undefined): BankStatement {
  const option_words = { ...earlier?.option_words, ...own.option_words };
  return {
    ...own,
    text: { ...earlier?.text, ...own.text },
    ...(Object.keys(option_words).length > 0 && { option_words }),
  };
}

/** Lists what is stored of a version: with decisions about statements also the version that they were applied to, so that they can be undone. */
function listVersions(form_version: string, parameters: BankParameters) {
  const { decisions, ...undecided } = parameters;
  const base = buildParameterVersion(form_version, undecided);
  const stored = [
    { version: base, base_version: null as string | null, parameters: undecided as BankParameters },
  ];
  if (decisions)
    stored.push({ version: buildParameterVersion(form_version, parameters), base_version: base, parameters });
  return stored;
}
