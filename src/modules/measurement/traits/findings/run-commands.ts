import type { Static } from 'typebox';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { findingDecisions } from '../parameters/findings.ts';
import { listFindings } from '../parameters/store-findings.ts';
import { decide, withdrawDecision } from './change-decision.ts';
import { loadOwnBank } from '../parameters/parameters-in-use.ts';
import { toDecisionChangeWire, toFindingWire, type decisionChangeWire, type findingWire } from './wire.ts';

type Input = Readonly<Record<string, string>>;
type FindingReport = Static<typeof findingWire>;

/** What the commands about findings run, and how they print the result. */
export const findingCommands = {
  listFindings: listFindingsFromCommand,
  formatFindings: formatItemFindings,
  decideFinding: decideFromCommand,
  undoDecision: withdrawFromCommand,
  formatChange: formatDecisionChange,
} as const;

const findings_max = 1_000;

/** Lists the newest findings about statements, with what was decided about them. */
async function listFindingsFromCommand({
  database,
}: Pick<Platform, 'database'>): Promise<{ readonly findings: readonly FindingReport[] }> {
  const findings = await listFindings(database, undefined, undefined, findings_max);
  const own = await loadOwnBank(database);
  return { findings: findings.map((each) => toFindingWire(each, own)) };
}

/** One line for each finding: its id, what it is, and what can be decided. */
function formatItemFindings({
  findings,
}: {
  readonly findings: readonly FindingReport[];
}): Readonly<Record<string, string>> {
  return Object.fromEntries(findings.map((finding) => [finding.finding_id, formatFinding(finding)]));
}

function formatFinding(finding: FindingReport): string {
  const { kind, statements, subject, compared_with, size, answered, respondents, decision, choices } =
    finding;
  const about = [subject, compared_with].filter((each) => each !== null);
  return [
    `${kind} ${statements.map(({ item_id }) => item_id).join(' and ')}`,
    ...(about.length > 0 ? [about.join(' against ')] : []),
    `size ${size.toFixed(2)}`,
    `answered by ${answered} of ${respondents}`,
    decision === null ? `open: ${choices.join(', ')}` : `decided: ${decision}`,
  ].join(', ');
}

/**
 * Decides about a finding, as `traits.decideItemFinding` does.
 *
 * @throws OperatorError for an unknown decision, and Refusal as the operation does.
 */
function decideFromCommand(
  platform: Pick<Platform, 'database' | 'now' | 'queue'>,
  { finding = '', decision: named, statement }: Input,
): Promise<Static<typeof decisionChangeWire>> {
  const decision = findingDecisions.find((each) => each === named);
  if (!decision) throw new OperatorError(`the decision must be one of ${findingDecisions.join(', ')}`);
  const id = requireId(finding);
  return platform.database.transaction(async (tx) =>
    toDecisionChangeWire(
      await decide(platform, tx, { id, decision, item_id: statement }, null),
      await loadOwnBank(tx),
    ),
  );
}

/** Undoes the decision about a finding. @throws OperatorError for what is no id, and Refusal as `traits.undoItemDecision` does. */
function withdrawFromCommand(
  platform: Pick<Platform, 'database' | 'now' | 'queue'>,
  { finding = '' }: Input,
): Promise<Static<typeof decisionChangeWire>> {
  const id = requireId(finding);
  return platform.database.transaction(async (tx) =>
    toDecisionChangeWire(await withdrawDecision(platform, tx, id, null), await loadOwnBank(tx)),
  );
}

function requireId(id: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id;
  throw new OperatorError('a finding is named by its id; "items findings" lists all');
}

/** Prints the versions, and what the finding is now. */
function formatDecisionChange({
  finding,
  in_use,
  before,
}: Static<typeof decisionChangeWire>): Readonly<Record<string, string>> {
  return { [finding.finding_id]: formatFinding(finding), in_use, before };
}
