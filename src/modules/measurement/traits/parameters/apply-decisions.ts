import type { Reader, Transaction } from '#platform/database/database.ts';
import { listParameters } from '../items/bank.ts';
import { nameDecidedVersion } from '../items/decisions.ts';
import { builtInBanks, itemBank } from '../items/item-bank.ts';
import { combineDecisions } from './findings.ts';
import { findParameterVersion, insertParameterVersion, type ParameterVersion, ownBank } from './store.ts';
import { listAcceptedFindings } from './store-findings.ts';

type AppliedVersion = Pick<ParameterVersion, 'version' | 'provisional'>;

/**
 * Applies the decisions about statements that stand to a version of the parameters, or to the version that it was made of. Without decisions
 * that is this version itself, so that an undone decision leaves nothing behind; with them it is another version, which is stored once. It is
 * named after its base and a digest of the decisions, so that the same decisions on the same base have one name everywhere.
 *
 * @returns undefined if the version does not exist, or is of another bank whose scales have no traits.
 */
export async function applyDecisions(
  tx: Transaction,
  named: string,
  now: Date,
): Promise<AppliedVersion | undefined> {
  const decided = await buildDecidedVersion(tx, named);
  if (!decided) return undefined;
  const { version, provisional, base_version } = decided;
  if (base_version !== null) await insertParameterVersion(tx, { ...decided, report: {}, created_at: now });
  return { version, provisional };
}

/** Builds what {@link applyDecisions} stores, and stores nothing. Without decisions it is the version itself. */
export async function buildDecidedVersion(db: Reader, named: string): Promise<Base | undefined> {
  const base = await findBase(db, named);
  if (!base) return undefined;
  const accepted = await listAcceptedFindings(db);
  const decisions = combineDecisions(accepted.filter(({ item_ids }) => hasStatements(base, item_ids)));
  if (Object.keys(decisions.weights).length + decisions.pairs.length === 0) return base;
  return {
    ...base,
    version: nameDecidedVersion(base.version, decisions),
    base_version: base.version,
    parameters: { ...base.parameters, decisions },
  };
}

type Base = Omit<Required<ParameterVersion>, 'report' | 'created_at'>;

/** Says whether statements are part of the bank: findings can be about those of another one. */
function hasStatements({ bank, parameters }: Base, ids: readonly string[]): boolean {
  return ids.every(
    (id) => Object.hasOwn(parameters.items, id) || (bank === ownBank && itemBank.itemsById.has(id)),
  );
}

async function findBase(db: Reader, named: string): Promise<Base | undefined> {
  const stored = await findParameterVersion(db, named);
  const version = stored?.base_version ?? named;
  const builtIn = builtInBanks.get(version);
  if (builtIn)
    return {
      bank: ownBank,
      version,
      item_bank_version: builtIn.version,
      provisional: builtIn.provisional,
      base_version: null,
      parameters: listParameters(builtIn),
      respondents: 0,
    };
  const base = version === named ? stored : await findParameterVersion(db, version);
  const canMeasure = base?.bank === ownBank || base?.parameters.map !== undefined;
  return base && canMeasure ? { version, ...base } : undefined;
}
