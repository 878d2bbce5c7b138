import project from '../../package.json' with { type: 'json' };
import { roles } from '#lib/caller.ts';
import {
  changeOrganisationFromCommand,
  changeUserFromCommand,
  createUser,
  resetMfa,
} from '#modules/access/accounts';
import { describeAuditFaults, streamAudit, verifyAudit } from '#modules/operations/audit';
import { checkBooks, describeFaults, formatReport, toReportFields } from '#modules/income/books';
import { checkChain } from '#modules/income/payments';
import { formatProbing, importTemplates, listProbing } from '#modules/matching/jobs';
import {
  evaluatePolicyFromCommand,
  formatFindings,
  formatPolicies,
  listPoliciesFromCommand,
  promotePolicy,
  rollBackPolicy,
  showPolicy,
} from '#modules/matching/learning';
import { recordTopUpFromCommand, returnPayout, reverseJournal } from '#modules/income/books';
import { recomputeAllMatches } from '#modules/matching/matches';
import { setTier, verifyDomain } from '#modules/organisations/orgs';
import {
  formatKind,
  revokeSigningKey,
  rotateSigningKeys,
  selectKeyState,
  startWorkFromCommand,
} from '#modules/operations/operator';
import { createBackup, restoreBackup, type Installation } from '#platform/backups/backups.ts';
import { describeDrillFault } from '#platform/backups/drill.ts';
import { describeDatabaseFaults } from '#platform/database/check-database.ts';
import { formatPlaces } from '#platform/distribution/list-places.ts';
import {
  buildCommandTable,
  command,
  OperatorError,
  readPassword,
  runOperatorCommand,
  type OperatorCommand,
} from '#platform/command-line.ts';
import { describeFailedChecks, runDoctor, summariseChecks } from '#platform/doctor.ts';
import type { Platform } from '#platform/platform.ts';
import { loadPopulation } from '../demo/load-population.ts';
import { unloadPopulation } from '../demo/unload-population.ts';
import { itemCommands } from './cli-items.ts';
import {
  checkInstalledDatabase,
  distributeInstalledDatabase,
  listInstalledPlacements,
  runConfiguredDrill,
  runWithInstallation,
  runWithPlatform,
} from '../app/operator.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** TABLE 7: every operator command and the function that it runs. */
const cliTable: readonly OperatorCommand<Platform>[] = [
  command({
    usage: 'migrate',
    summary: 'Migrate the database to the newest schema.',
    run: async () => ({ migrated: true }),
  }),
  command({
    usage: 'user create',
    summary: 'Create an account of any role.',
    options: [
      ['--email <address>!', 'email address to log in with'],
      ['--password-stdin', 'read the password from the first line of standard input'],
      [
        '--password <password>',
        'the password, which other users of the machine can see while the command runs: at least 12 characters, with an upper-case letter, a lower-case letter, a digit and a special character',
      ],
      ['--role <role>!', 'member | org_admin | org_viewer | auditor | platform_admin'],
      [
        '--org <org>',
        'id of the organisation, for its roles; without it, an org_admin gets a new organisation',
      ],
    ],
    run: createUserFromCommand,
  }),
  command({
    usage: 'user suspend <user>',
    summary:
      'Suspend an account, given by id or email address: log the user out at once and refuse every login.',
    run: (platform: Platform, input) => changeUserFromCommand(platform, input, true),
  }),
  command({
    usage: 'user resume <user>',
    summary: 'Let a suspended user log in again.',
    run: (platform: Platform, input) => changeUserFromCommand(platform, input, false),
  }),
  command({
    usage: 'user reset-mfa <user>',
    summary:
      'Disable MFA of a user who lost the phone and the recovery codes. First make sure that it is really this user who asks.',
    run: resetMfa,
  }),
  command({
    usage: 'org set-tier <org> <tier>',
    summary:
      'Set the tier of an organisation: "E1 Explorer", "E2 Builder", "E3 Operator" or partner. It then has its free reads.',
    run: setTier,
  }),
  command({
    usage: 'org suspend <org>',
    summary:
      'Suspend an organisation: log its users out at once and refuse every login, pause its jobs, and hold its webhooks back. Nothing is deleted.',
    run: (platform: Platform, input) => changeOrganisationFromCommand(platform, input, true),
  }),
  command({
    usage: 'org resume <org>',
    summary: 'Lift the suspension of an organisation. Everything continues.',
    run: (platform: Platform, input) => changeOrganisationFromCommand(platform, input, false),
  }),
  command({
    usage: 'org verify-domain <org> <domain>',
    summary:
      'State that an email domain belongs to the organisation. First make sure that it does. An organisation that held the domain loses it.',
    run: verifyDomain,
  }),
  command({
    usage: 'org list-probing',
    summary:
      'List organisations whose jobs look like an attempt to measure traits of members, with the pattern and the time.',
    run: listProbing,
    summarise: formatProbing,
  }),
  command({
    usage: 'matches recompute',
    summary: 'Make a worker compute the matches of all active jobs again.',
    run: recomputeAllMatches,
    summarise: () => ({ matches: 'a worker computes those of all active jobs again' }),
  }),
  command({
    usage: 'work start <work>',
    summary:
      'Start what otherwise runs at night: learning, checkpoints, books or drill. A worker of the running service does it within seconds.',
    run: startWorkFromCommand,
  }),
  command({
    usage: 'policy list',
    summary: 'List the versions of what outcomes say about priorities, the newest first.',
    run: listPoliciesFromCommand,
    summarise: formatPolicies,
  }),
  command({
    usage: 'policy show <version>',
    summary: 'Show a version: its multipliers, what it was made from, and its latest evaluation.',
    run: showPolicy,
  }),
  command({
    usage: 'policy evaluate <version>',
    summary: 'Compare a version with the live one by the outcomes that did not train it. Changes nothing.',
    run: evaluatePolicyFromCommand,
    summarise: formatFindings,
  }),
  command({
    usage: 'policy promote <version>',
    summary:
      'Evaluate a version again and put it into use if every rule allows it. A worker then computes the matches of all active jobs again.',
    run: promotePolicy,
  }),
  command({
    usage: 'policy rollback',
    summary:
      'Go back to the version before the live one at once. Nothing is promoted after that until you promote a version.',
    run: rollBackPolicy,
  }),
  command({
    usage: 'keys rotate',
    summary:
      'Retire the signing keys and create new ones. Credentials signed with older keys stay valid, access tokens until they expire.',
    run: rotateKeysFromCommand,
  }),
  command({
    usage: 'keys list',
    summary: 'List the signing keys with their purposes and states, the oldest first.',
    run: listSigningKeys,
    summarise: formatSigningKeys,
  }),
  command({
    usage: 'keys revoke <kid>',
    summary:
      'Declare a signing key compromised. What it signed is refused within seconds. Stored credentials are signed again with the active key.',
    run: revokeKeyFromCommand,
  }),
  command({
    usage: 'import onet <dir>',
    summary: 'Import job templates from the text files of the O*NET database in <dir>.',
    run: importTemplates,
  }),
  ...itemCommands,
  command({
    usage: 'ledger check',
    summary:
      'Check the books: the trial balance, every journal and payout, that every paid read has its journal, and the cash on the chain, where one is configured. The exit code is 1 if anything is wrong.',
    run: async (platform: Platform) => toReportFields(await checkBooks(platform)),
    summarise: formatReport,
    describeFailure: describeFaults,
  }),
  command({
    usage: 'ledger reverse <journal>',
    summary:
      'Take the journal of a read, refund or top-up back, because its payment does not exist, for example after the chain dropped its block. Both stay in the books. A read that a prepaid balance paid is paid back to it.',
    options: [['--reason <reason>!', 'why, for the books']],
    run: reverseJournal,
  }),
  command({
    usage: 'ledger return <payout>',
    summary:
      'End a payout of a member that could not be signed, for example because the token refuses its address. The member has the amount again. A payout that was signed is never returned by hand: its transaction may arrive.',
    options: [['--reason <reason>!', 'why, for the books']],
    run: returnPayout,
  }),
  command({
    usage: 'audit verify',
    summary:
      'Verify that no entry of the audit log was changed, removed, added or reordered. The exit code is 1 if anything is wrong.',
    options: [
      ['--head <file>', 'a signed head that somebody kept: also verify that the log still leads to it'],
    ],
    run: verifyAudit,
    describeFailure: describeAuditFaults,
  }),
  command({
    usage: 'audit stream',
    summary: 'Print the audit log as OCSF events for a SIEM, one JSON object on each line, the oldest first.',
    options: [
      ['--after <position>', 'go on after the last event that was collected: its metadata.sequence', '0'],
    ],
    run: streamAudit,
  }),
  command({
    usage: 'balance record <reference> <amount>',
    summary:
      'Record that money for the prepaid balance of an organisation has arrived: its reference, and the amount in US dollars. The same again changes nothing.',
    options: [['--org <org>', 'id of the organisation, for money that it did not announce']],
    run: recordTopUpFromCommand,
  }),
  command({
    usage: 'demo load',
    summary:
      'Load synthetic members with complete trait vectors, and jobs, all or nothing. Refused in production.',
    options: [
      ['--members <count>', 'number of members', '10000'],
      ['--jobs <count>', 'number of jobs', '20'],
      ['--seed <number>', 'seed of the random numbers; the same seed gives the same population', '1'],
    ],
    run: loadPopulation,
  }),
  command({
    usage: 'demo unload',
    summary: 'Remove everything that "demo load" has added.',
    run: unloadPopulation,
  }),
];

/** The second part of the table: commands that must neither create nor migrate a database. */
const installationTable: readonly OperatorCommand<Installation>[] = [
  command({
    usage: 'backup <dir>',
    summary:
      'Copy the embedded database and the master key into a new directory. The service may keep running. Anyone who has the copy can read every secret in it.',
    run: createBackup,
  }),
  command({
    usage: 'restore <dir>',
    summary:
      'Verify a backup, or the newest one of an archive with its log, and copy it into a TESSERA_DATA_DIR without a database. Nothing is overwritten. Start the service afterwards.',
    options: [['--at <moment>', 'restore an archive as it was at this moment, such as 2026-11-27T14:03:21Z']],
    run: restoreBackup,
  }),
  command({
    usage: 'drill',
    summary:
      'Prove that the archive can be restored: restore it beside the running service, check the books, the audit log and every page, compare it with the running one, and remove it. The exit code is 1 if anything is wrong.',
    run: runConfiguredDrill,
    describeFailure: describeDrillFault,
  }),
  command({
    usage: 'database check',
    summary:
      'Read every page and every index of the database, and compare checksums and order; of a distributed database, every reference to another node. Changes nothing. The exit code is 1 if anything is wrong.',
    run: checkInstalledDatabase,
    describeFailure: describeDatabaseFaults,
  }),
  command({
    usage: 'database distribute',
    summary:
      'Distribute the database over the nodes of Citus, or place what a migration has added. Without --yes it only says what it would do. Run it again if it was interrupted.',
    options: [['--yes', 'do it']],
    run: async (installation: Installation, input) => distributeInstalledDatabase(installation, input),
  }),
  command({
    usage: 'database placements',
    summary: 'List where the tables of a distributed database are, and how even its nodes are.',
    run: listInstalledPlacements,
    summarise: formatPlaces,
  }),
];

/** The third part: commands that must also run with a wrong configuration. */
const environmentTable: readonly OperatorCommand<Environment>[] = [
  command({
    usage: 'doctor',
    summary: 'Check the configuration and everything that it names. Changes nothing.',
    run: (environment) => runDoctor(environment, { chain: checkChain }),
    summarise: summariseChecks,
    describeFailure: describeFailedChecks,
  }),
];

/** What the commands with the same first word are for. */
const groups: Readonly<Record<string, string>> = {
  audit: 'The audit log.',
  balance: 'Prepaid balances of organisations.',
  database: 'The database itself: its files and its nodes.',
  demo: 'Synthetic data for trying the service.',
  import: 'Import data that others publish.',
  items: 'Parameters of the assessment’s items.',
  keys: 'Signing keys.',
  ledger: 'The books.',
  matches: 'Matches of members with jobs.',
  org: 'Organisations.',
  policy: 'What outcomes of matches say about the priorities of jobs.',
  user: 'Accounts.',
  work: 'What otherwise runs at night.',
};

async function createUserFromCommand(platform: Platform, input: Readonly<Record<string, string>>) {
  const { email = '', role, org } = input;
  const knownRole = roles.find((each) => each === role);
  if (!knownRole) throw new OperatorError(`--role must be one of ${roles.join(', ')}`);
  const password = await readPassword(input);
  const { id, linked_entity_id } = await createUser(platform, {
    email,
    password,
    role: knownRole,
    org_id: org,
  });
  return { user_id: id, role: knownRole, linked_entity_id };
}

async function rotateKeysFromCommand(platform: Platform): Promise<Readonly<Record<string, string>>> {
  const created = await rotateSigningKeys(platform);
  return Object.fromEntries(created.map((key) => [formatKind(key), key.kid]));
}

async function listSigningKeys({ keys }: Platform) {
  return {
    keys: keys.list().map(({ kid, purpose, algorithm, created_at, retired_at, revoked_at }) => ({
      kid,
      purpose,
      algorithm,
      status: selectKeyState({ retired_at, revoked_at }),
      created_at,
      retired_at,
      revoked_at,
    })),
  };
}

/** One line for each key: its id, and what it is. */
function formatSigningKeys({
  keys,
}: Awaited<ReturnType<typeof listSigningKeys>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    keys.map(({ kid, purpose, algorithm, status, created_at }) => [
      kid,
      `${purpose} ${algorithm} ${status}, created at ${created_at.toISOString()}`,
    ]),
  );
}

async function revokeKeyFromCommand(platform: Platform, { kid = '' }: Readonly<Record<string, string>>) {
  const revocation = await revokeSigningKey(platform, kid);
  if (!revocation)
    throw new OperatorError(`no signing key has the id ${kid}; the command "keys list" shows all`);
  return revocation;
}

/**
 * Runs one operator command on the configured database.
 *
 * @returns the exit code.
 */
export function runCli(words: readonly string[], environment: Environment): Promise<number> {
  const tables = [
    buildCommandTable(cliTable, (work) => runWithPlatform(environment, work)),
    buildCommandTable(installationTable, (work) => runWithInstallation(environment, work)),
    buildCommandTable(environmentTable, (work) => work(environment)),
  ];
  return runOperatorCommand(tables, words, { version: project.version, groups });
}
