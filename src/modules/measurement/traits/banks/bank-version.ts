import { createHash } from 'node:crypto';
import { writeCanonicalJson } from '#lib/canonical-json.ts';
import { OperatorError } from '#platform/command-line.ts';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { replaceParameters, type BankParameters, type ItemBank } from '../items/bank.ts';
import { requireOptions, type BankForm } from '../items/bank-form.ts';
import { buildUncalibrated, type StoredForm } from '../items/build-bank.ts';
import { nameDecidedVersion } from '../items/decisions.ts';
import { builtInBanks } from '../items/item-bank.ts';
import { readOwnForm } from '../items/tessera-form.ts';
import { loadItemBank } from '../parameters/parameters-in-use.ts';
import { findForm, findNewestForm, ownBank } from '../parameters/store.ts';
import { findVersion } from './store.ts';

/** The people whose answers define the zero and the unit of a version's scales. */
export type Norms = { readonly size: number; readonly date: string; readonly source: string };

/** What reads banks. */
export type ReadingServices = { readonly database: Reader } & Pick<Services, 'memory'>;

/** A version of a bank with everything that scoring reads. */
export type BankVersion = {
  readonly bank: string;
  readonly form: BankForm;
  readonly items: ItemBank<string>;
  readonly respondents: number;
  readonly norms: Norms | null;
};

/**
 * Loads a version of a bank, ours included.
 *
 * @throws OperatorError for an unknown bank or version.
 */
export async function loadBankVersion(
  platform: ReadingServices,
  { bank = '', version = '' }: Readonly<Record<string, string>>,
): Promise<BankVersion> {
  const { database } = platform;
  const stored = await findVersion(database, bank, version);
  const form = stored && (await findForm(database, bank, stored.item_bank_version));
  if (bank === ownBank && (stored || builtInBanks.has(version)))
    return {
      bank,
      form: form?.form ?? readOwnForm(),
      items: await loadItemBank(platform, database, version),
      respondents: stored?.respondents ?? 0,
      norms: stored ? readNorms(stored.report) : null,
    };
  if (!stored || !form) {
    if (bank !== ownBank) await requireForm(platform, bank);
    throw new OperatorError(`the bank "${bank}" has no version "${version.slice(0, 100)}"`);
  }
  const items = replaceParameters(
    buildUncalibrated(form, stored.parameters.language),
    version,
    stored.provisional,
    stored.parameters,
  );
  return { bank, form: form.form, items, respondents: stored.respondents, norms: readNorms(stored.report) };
}

/** Loads the newest statements of a bank; of our own, those that were added to. @throws OperatorError for an unknown bank. */
export async function requireForm(
  { database }: Pick<ReadingServices, 'database'>,
  bank: string,
): Promise<StoredForm> {
  const form = await findNewestForm(database, bank);
  if (!form && bank === ownBank)
    throw new OperatorError(
      `nothing was added to the bank "${ownBank}"; "items import <file> --name ${ownBank}" adds statements and languages`,
    );
  if (!form)
    throw new OperatorError(`the bank "${bank.slice(0, 100)}" does not exist; "items import" adds one`);
  return form;
}

function readNorms(report: Readonly<Record<string, unknown>>): Norms | null {
  return (report['norms'] as Norms | undefined) ?? null;
}

/** Names the statements of a bank after a digest, so that a name means the same statements on every installation. */
export function buildFormVersion(bank: string, form: BankForm): string {
  return `${bank}.${computeDigest(form)}`;
}

/** Names a version after digests of its statements, its parameters and the decisions about statements. */
export function buildParameterVersion(
  form_version: string,
  { decisions, ...parameters }: BankParameters,
): string {
  const base = `${form_version}.${computeDigest(parameters)}`;
  return decisions ? nameDecidedVersion(base, decisions) : base;
}

/** Computes a digest that does not depend on the order of keys, which the database does not retain. */
function computeDigest(value: unknown): string {
  return createHash('sha256').update(writeCanonicalJson(value)).digest('hex').slice(0, 16);
}

/** The answers that a file may have to a statement: `lowest` to `highest`. */
export type AnswerRange = { readonly id: string; readonly lowest: number; readonly highest: number };

/** Lists the statements with their answers. The answer that a statement does not apply is one above the others. */
export function listAnswerRanges({ statements }: BankForm): readonly AnswerRange[] {
  return statements.map((statement) => {
    const { lowest, count } = requireOptions(statement);
    const highest = lowest + count - 1 + (statement.may_not_apply ? 1 : 0);
    return { id: statement.item_id, lowest, highest };
  });
}
