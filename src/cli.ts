import { roles } from '#lib/caller.ts';
import { recordAudit } from '#modules/audit';
import { createUser, resetMfa, resumeUser, suspendUser } from '#modules/auth';
import { importTemplates } from '#modules/jobs';
import { recomputeAllMatches } from '#modules/matching';
import { setTier } from '#modules/orgs';
import { calibrateItems, listVersions, formatCalibration, useParameters } from '#modules/traits';
import { loadPopulation } from './demo/load-population.ts';
import { runWithInstallation, runWithPlatform } from './operator.ts';
import { createBackup, restoreBackup, type Installation } from '#platform/backups.ts';
import {
  buildCommandTable,
  OperatorError,
  runOperatorCommand,
  type OperatorCommand,
} from '#platform/command-line.ts';
import { rotateKeys } from '#platform/security/rotate-keys.ts';
import type { Platform } from '#platform/platform.ts';

/** TABLE 5: every operator command and what it runs. */
const cliTable: readonly OperatorCommand<Platform>[] = [
  {
    usage: 'migrate',
    summary: 'Bring the database to the newest schema.',
    run: async () => ({ migrated: true }),
  },
  {
    usage: 'user create',
    summary: 'Create an account, of any role.',
    options: [
      ['--email <address>!', 'the address to sign in with'],
      ['--password <password>!', 'at least 12 characters: upper case, lower case, digit, special'],
      ['--role <role>!', 'member | org_admin | org_viewer | auditor | platform_admin'],
      ['--org <org>', 'the organisation’s id, for its roles; a new one is made for an org_admin without'],
    ],
    run: createUserFromCommand,
  },
  {
    usage: 'user suspend <user>',
    summary: 'Suspend an account, by id or e-mail: signed out at once, and no way in.',
    run: suspendUser,
  },
  {
    usage: 'user resume <user>',
    summary: 'Let a suspended account in again.',
    run: resumeUser,
  },
  {
    usage: 'user reset-mfa <user>',
    summary:
      'Take the second factor from an account whose user lost phone and recovery codes; make sure that it is them.',
    run: resetMfa,
  },
  {
    usage: 'org set-tier <org> <tier>',
    summary: 'Set an organisation’s tier: "E1 Explorer" | "E2 Builder" | "E3 Operator" | partner.',
    run: setTier,
  },
  {
    usage: 'matches recompute',
    summary: 'Have a worker compute the matches of all active jobs anew.',
    run: recomputeAllMatches,
  },
  {
    usage: 'keys rotate',
    summary: 'Retire the signing keys and make new ones; older tokens stay valid.',
    run: rotateSigningKeys,
  },
  {
    usage: 'import onet <dir>',
    summary: 'Import job templates from the O*NET text database.',
    run: importTemplates,
  },
  {
    usage: 'items calibrate',
    summary:
      'Estimate the statements’ parameters from stored answers, and keep them as a version that is not yet in use.',
    options: [
      [
        '--csv <file>',
        'the answers of this file instead: a line a person, a column a statement, options 0 to 4',
      ],
      [
        '--key <file>',
        'the file is another questionnaire’s: "scale: item -item …" a line; reports, keeps nothing',
      ],
    ],
    run: calibrateItems,
    summarise: formatCalibration,
  },
  {
    usage: 'items use <version>',
    summary:
      'Put a version into use for assessments that begin from now on; the version before goes back the same way.',
    run: useParameters,
  },
  {
    usage: 'items versions',
    summary: 'List the versions of the parameters, the newest first, and which is in use.',
    run: listVersions,
  },
  {
    usage: 'demo load',
    summary: 'Load a synthetic population with full trait vectors, in bulk.',
    options: [
      ['--members <count>', 'how many members', '10000'],
      ['--jobs <count>', 'how many jobs', '20'],
      ['--seed <number>', 'the same seed makes the same population', '1'],
    ],
    run: loadPopulation,
  },
];

/** Its second part: commands that find the database as it is, or find none. */
const installationTable: readonly OperatorCommand<Installation>[] = [
  {
    usage: 'backup <dir>',
    summary:
      'Copy the database and the master key into a new directory; the service may run. Whoever has the copy can read every secret in it.',
    run: createBackup,
  },
  {
    usage: 'restore <dir>',
    summary:
      'Put a backup, verified, into a TESSERA_DATA_DIR without a database. Overwrites nothing; start the service afterwards.',
    run: restoreBackup,
  },
];

async function createUserFromCommand(
  platform: Platform,
  { email = '', password = '', role, org }: Readonly<Record<string, string>>,
) {
  const known = roles.find((each) => each === role);
  if (!known) throw new OperatorError(`--role must be one of ${roles.join(', ')}`);
  const { id, linked_entity_id } = await createUser(platform, { email, password, role: known, org_id: org });
  return { user_id: id, role: known, linked_entity_id };
}

/** The keys are replaced one after the other, each for itself; the log tells of both. */
export async function rotateSigningKeys(platform: Platform) {
  const rotated = await rotateKeys(platform);
  await platform.database.transaction((tx) =>
    recordAudit(tx, {
      now: platform.now(),
      actor_user_id: null,
      action: 'keys.rotated',
      detail: { es256: rotated.ES256, rs256: rotated.RS256 },
    }),
  );
  return rotated;
}

/** Runs one operator command on the configured database; @returns the exit code. */
export function runCli(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const tables = [
    buildCommandTable(cliTable, (work) => runWithPlatform(environment, work)),
    buildCommandTable(installationTable, (work) => runWithInstallation(environment, work)),
  ];
  return runOperatorCommand(tables, words);
}
