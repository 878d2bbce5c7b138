import type { Reader, Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { Answer } from '../items/item.ts';
import type { NewFinding } from '../parameters/findings.ts';
import { loadItemBank, resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { recordFindings } from '../parameters/record-findings.ts';
import {
  compareFunctioning,
  createPacker,
  type ExaminedPerson,
  type GroupComparison,
} from './compare-functioning.ts';

/** An examination of how the statements work for groups of members, with the parameters in use. */
type GroupExamination = {
  /** Adds somebody with their groups by attribute. */
  readonly addPerson: (groups: ExaminedPerson['groups'], answers: readonly Answer[]) => void;
  readonly compareGroups: () => Promise<readonly GroupComparison[]>;
  /** Stores the statements that differ as findings for the operator. */
  readonly recordDifferences: (
    tx: Transaction,
    comparisons: readonly GroupComparison[],
    now: Date,
  ) => Promise<void>;
};

/** Starts an examination. What it keeps of 20,000 people takes about ten megabytes. */
export async function startGroupExamination(
  services: Pick<Services, 'memory'>,
  db: Reader,
): Promise<GroupExamination> {
  const bank = await loadItemBank(services, db, await resolveVersionInUse(db));
  const packPerson = createPacker(bank);
  const people: ExaminedPerson[] = [];
  return {
    addPerson: (groups, answers) => void people.push(packPerson(groups, answers)),
    compareGroups: () => compareFunctioning(people, bank),
    recordDifferences: (tx, comparisons, now) =>
      recordFindings(tx, ['differs'], {
        findings: comparisons.flatMap(toFindings),
        parameter_version: bank.parameter_version,
        respondents: people.length,
        now,
      }),
  };
}

function toFindings({ attribute, group, reference, items }: GroupComparison): readonly NewFinding[] {
  return items.map(({ item_id, effect, answered }) => ({
    kind: 'differs',
    item_ids: [item_id],
    subject: `${attribute} ${group}`,
    compared_with: reference,
    size: effect,
    answered,
  }));
}
