import { createHash } from 'node:crypto';
import type { Transaction } from '#platform/database/database.ts';
import { listParameters } from '../items/bank.ts';
import { builtInBanks } from '../items/item-bank.ts';
import { combineDecisions } from './findings.ts';
import { findParameterVersion, insertParameterVersion, type ParameterVersion } from './store.ts';
import { listAcceptedFindings } from './store-findings.ts';

type AppliedVersion = Pick<ParameterVersion, 'version' | 'provisional'>;

/**
 * Applies the decisions about statements that stand to a version of the parameters, or to the version that it was made of. Without decisions
 * that is this version itself, so that an undone decision leaves nothing behind; with them it is another version, which is stored once. It is
 * named after its base and a digest of the decisions, so that the same decisions on the same base have one name everywhere.
 *
 * @returns undefined if the version does not exist.
 */
export async function applyDecisions(
  tx: Transaction,
  named: string,
  now: Date,
): Promise<AppliedVersion | undefined> {
  const base = await findBase(tx, named);
  if (!base) return undefined;
  const decisions = combineDecisions(await listAcceptedFindings(tx));
  if (Object.keys(decisions.weights).length + decisions.pairs.length === 0) return base;
  const digest = createHash('sha256').update(JSON.stringify(decisions)).digest('hex').slice(0, 12);
  const version = `${base.version}.${digest}`;
  await insertParameterVersion(tx, {
    ...base,
    version,
    base_version: base.version,
    parameters: { ...base.parameters, decisions },
    report: {},
    created_at: now,
  });
  return { version, provisional: base.provisional };
}

type Base = Omit<ParameterVersion, 'report' | 'created_at'>;

async function findBase(tx: Transaction, named: string): Promise<Base | undefined> {
  const stored = await findParameterVersion(tx, named);
  const version = stored?.base_version ?? named;
  const builtIn = builtInBanks.get(version);
  if (builtIn)
    return {
      version,
      item_bank_version: builtIn.version,
      provisional: builtIn.provisional,
      base_version: null,
      parameters: listParameters(builtIn),
      respondents: 0,
    };
  const base = version === named ? stored : await findParameterVersion(tx, version);
  return base && { version, ...base };
}
