import type * as jobs from '#modules/matching/jobs';
import type * as oversight from '#modules/operations/operator';
import type * as traits from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';

type Health = OperationBody<typeof oversight.readHealth>;
type Probing = OperationBody<typeof jobs.listProbingReports>['reports'];
type Calibrations = OperationBody<typeof traits.listCalibrations>;
type Findings = OperationBody<typeof traits.listItemFindings>;

/** What the first page of the operator is about, in the order of urgency. */
export type Concern = {
  readonly code:
    | 'database'
    | 'archive_stopped'
    | 'archive_behind'
    | 'drill_failed'
    | 'drill_old'
    | 'connections'
    | 'queue_unreadable'
    | 'books_wrong'
    | 'chain_unreachable'
    | 'chain_behind'
    | 'payments_unresolved'
    | 'queue_slow'
    | 'tasks_failed'
    | 'index'
    | 'requests_failed'
    | 'mails_failed'
    | 'mail_files'
    | 'probing'
    | 'drifted'
    | 'findings'
    | 'keys_old'
    | 'provisional'
    | 'rescoring';
  readonly severity: 'urgent' | 'soon' | 'note';
  /** How many there are, or for how many seconds; 0 if it is not counted. */
  readonly amount: number;
  readonly link: string;
};

const slow_seconds = 60;
const key_days_max = 365;
const probing_days = 30;
const day_ms = 86_400_000;

/** Lists what needs the operator's attention. */
export function listConcerns(
  health: Health,
  probing: Probing,
  calibrations: Calibrations,
  findings: Findings,
  now: Date,
): readonly Concern[] {
  const found = [
    ...listFaults(health),
    ...listFaultsOfMoney(health),
    ...listFaultsOfArchive(health, now),
    ...listWorries(health, now),
    ...listNotes(probing, calibrations, now),
    ...listOpenFindings(findings),
  ];
  const order = ['urgent', 'soon', 'note'] as const;
  return found.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
}

function listFaults({ database, queue, matching }: Health): Concern[] {
  const at = '/app/operator/health';
  return [
    ...reportConcern('database', 'urgent', at, Number(database.state !== 'up')),
    ...reportConcern('connections', 'urgent', at, database.waiting),
    ...reportConcern('queue_unreadable', 'urgent', '/app/operator/queue', Number(queue === null)),
    ...reportConcern(
      'index',
      'soon',
      '/app/operator/matching',
      Number(matching !== null && matching.readiness !== 'ready'),
    ),
  ];
}

/** Wrong books come first: nothing may be paid out before they are understood. */
function listFaultsOfMoney({ money }: Health): Concern[] {
  if (!money) return [];
  const { book_faults, chain, unresolved_payments } = money;
  const at = '/app/operator/ledger';
  return [
    ...reportConcern('books_wrong', 'urgent', at, book_faults),
    ...reportConcern('chain_unreachable', 'urgent', at, Number(chain === 'unreachable')),
    ...reportConcern('chain_behind', 'urgent', at, Number(chain === 'behind')),
    ...reportConcern('payments_unresolved', 'soon', at, unresolved_payments),
  ];
}

const archive_seconds_max = 300;
const drill_days_max = 2;

/** Without an archive the last backup is all that a broken disk leaves. A drill that failed says that the archive may be worth nothing. */
function listFaultsOfArchive({ archive }: Health, now: Date): Concern[] {
  if (!archive) return [];
  const { fault, restorable_to, drill, nightly } = archive;
  const behind_s = restorable_to
    ? Math.floor((now.getTime() - new Date(restorable_to).getTime()) / 1_000)
    : 0;
  const since_s = drill?.succeeded_at
    ? Math.floor((now.getTime() - new Date(drill.succeeded_at).getTime()) / 1_000)
    : 0;
  const isOld = nightly && since_s > (drill_days_max * day_ms) / 1_000;
  const at = '/app/operator/health';
  return [
    ...reportConcern('archive_stopped', 'urgent', at, Number(fault !== null)),
    ...reportConcern(
      'archive_behind',
      'urgent',
      at,
      fault === null && behind_s > archive_seconds_max ? behind_s : 0,
    ),
    ...reportConcern('drill_failed', 'urgent', at, Number(Boolean(drill?.fault))),
    ...reportConcern('drill_old', 'soon', at, isOld && !drill?.fault ? since_s : 0),
  ];
}

function listWorries({ queue, minutes, mail, keys }: Health, now: Date): Concern[] {
  const at = '/app/operator/health';
  const sum = (name: 'failed' | 'mails_failed') => minutes.reduce((total, minute) => total + minute[name], 0);
  const wait_s = queue?.oldest_wait_seconds ?? 0;
  const old = keys.filter(({ created_at }) => isOlder(created_at, now, key_days_max));
  return [
    ...reportConcern('queue_slow', 'soon', '/app/operator/queue', wait_s > slow_seconds ? wait_s : 0),
    ...reportConcern('tasks_failed', 'soon', '/app/operator/queue', queue?.failed ?? 0),
    ...reportConcern('requests_failed', 'soon', at, sum('failed')),
    ...reportConcern('mails_failed', 'soon', at, sum('mails_failed')),
    ...reportConcern('keys_old', 'soon', '/app/operator/keys', old.length),
    ...reportConcern('mail_files', 'note', at, Number(mail.transport === 'files')),
  ];
}

function listNotes(probing: Probing, { in_use, rescoring, versions }: Calibrations, now: Date): Concern[] {
  const recent = probing.filter(({ last_reported_at }) => !isOlder(last_reported_at, now, probing_days));
  const organisations = new Set(recent.map(({ org_id }) => org_id));
  const current = versions.find(({ version }) => version === in_use);
  const at = '/app/operator/calibration';
  return [
    ...reportConcern('probing', 'soon', '/app/operator/organisations#probing', organisations.size),
    ...reportConcern('rescoring', 'note', at, Number(rescoring !== null)),
    ...reportConcern('provisional', 'note', at, Number(current?.provisional === true)),
  ];
}

/** Drift is an alarm; other findings wait for a decision. The page that was read has the newest open ones. */
function listOpenFindings({ data, pagination }: Findings): Concern[] {
  const at = '/app/operator/findings';
  const drifted = data.filter(({ kind }) => kind === 'drifted').length;
  return [
    ...reportConcern('drifted', 'soon', at, drifted),
    ...reportConcern('findings', 'note', at, pagination.total_count - drifted),
  ];
}

/** @returns the concern, if there is anything to report. */
function reportConcern(
  code: Concern['code'],
  severity: Concern['severity'],
  link: string,
  amount: number,
): Concern[] {
  return amount > 0 ? [{ code, severity, amount, link }] : [];
}

function isOlder(time: string, now: Date, days: number): boolean {
  return now.getTime() - new Date(time).getTime() > days * day_ms;
}
