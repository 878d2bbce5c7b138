import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { createUser, hashPassword, insertMemberAccount, markEmailVerified } from '#modules/access/accounts';
import { listPermissibleRows } from '#modules/access/service-keys';
import { account_count, findSandbox, formatMemberEmail, recordSeed } from '#modules/operations/sandbox';
import { verifyDomain } from '#modules/organisations/orgs';
import { consentVersions, insertApprovals, insertGrants, queryCategories } from '#modules/people/consent';
import { countMembers } from '#modules/people/members';
import { ConfigError } from '#platform/config.ts';
import type { Platform } from '#platform/platform.ts';
import { loadPopulation, type AddToMembers } from './load-population.ts';

/** What a sandbox is seeded with, as it was written; undefined for what was left out. */
export type SandboxOptions = { readonly seed?: string | undefined; readonly members?: string | undefined };

/** How a developer reaches a new sandbox. Nothing else has the key or the password. */
type SandboxAccess = {
  readonly key: string;
  readonly administrator: string;
  readonly password: string;
};

type Sandboxed = { readonly platform: Platform; readonly server: FastifyInstance };

const defaults = { seed: '1', members: '500' };
const maxima = { seed: 2 ** 32 - 1, members: 10_000 };
const administrator = 'admin@sandbox.example';
const domain = 'clinic.sandbox.example';

/** Reads `--seed N` and `--members N`. @throws ConfigError */
export function parseSandboxOptions(words: readonly string[]): SandboxOptions {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...words], options: { seed: text, members: text } }).values;
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

/** @throws ConfigError */
function readNumber(name: keyof SandboxOptions, given: SandboxOptions): string {
  const text = given[name] ?? defaults[name];
  if (!/^\d{1,10}$/.test(text) || Number(text) > maxima[name])
    throw new ConfigError(`--${name} must be a whole number from 0 to ${maxima[name]}`);
  return text;
}

/**
 * Fills a new sandbox, and prints how to reach it: people with results, who agree to matching and to paid reads, the first of them with accounts, and an
 * organisation with a service key. The same seed gives the same people and results. A sandbox that was filled before stays as it is.
 *
 * @returns undefined if it was filled before.
 * @throws ConfigError for numbers out of bounds, for other ones than those of a filled sandbox, and where an earlier call was interrupted.
 */
export async function fillSandbox(
  { platform, server }: Sandboxed,
  options: SandboxOptions,
  output: Pick<NodeJS.WriteStream, 'write'> = process.stdout,
): Promise<SandboxAccess | undefined> {
  const [seed, members] = [readNumber('seed', options), readNumber('members', options)];
  const stored = await findSandbox(platform.database);
  if (stored && stored.seed !== null) {
    checkStored({ seed: String(stored.seed), members: String(stored.member_count) }, options);
    output.write(
      `Sandbox with ${stored.member_count} made-up people of seed ${stored.seed}. Its key was shown when it began.\n`,
    );
    return undefined;
  }
  if ((await countMembers(platform.database)) > 0)
    throw new ConfigError(
      'the sandbox was not filled to its end: delete its TESSERA_DATA_DIR and start again',
    );
  const password = `Sandbox-1-${randomBytes(12).toString('base64url')}`;
  await loadPopulation(
    platform,
    { members, seed, jobs: '0' },
    process.stderr,
    await createMembersOfSandbox(platform, password),
  );
  const { id, linked_entity_id } = await createUser(platform, {
    email: administrator,
    role: 'org_admin',
    name: 'Sandbox Clinic',
    password,
  });
  await platform.database.transaction((tx) => markEmailVerified(tx, id, platform.now()));
  // It can vouch for placements.
  await verifyDomain(platform, { org: linked_entity_id!, domain });
  const key = await createKey({ platform, server }, password);
  await recordSeed(platform.database, { seed: Number(seed), member_count: Number(members) });
  output.write(describeAccess({ members, seed, password, key }));
  return { key, administrator, password };
}

function checkStored(stored: Required<SandboxOptions>, options: SandboxOptions): void {
  for (const name of ['seed', 'members'] as const)
    if (options[name] !== undefined && Number(options[name]) !== Number(stored[name]))
      throw new ConfigError(
        `this sandbox was filled with --${name} ${stored[name]}: choose another TESSERA_DATA_DIR for a new one`,
      );
}

/** All agree to paid reads, and the first get an account. */
async function createMembersOfSandbox({ now }: Platform, password: string): Promise<AddToMembers> {
  const password_hash = await hashPassword(password);
  const version = consentVersions.at(-1)!;
  return async (tx, ids, first) => {
    await insertGrants(tx, ids, ['identity_queries', 'credential_sharing'], { version, now: now() });
    await insertApprovals(tx, ids, queryCategories, now());
    for (const [index, member_id] of ids.slice(0, Math.max(0, account_count - first)).entries()) {
      const email = formatMemberEmail(first + index + 1);
      const { id } = await insertMemberAccount(tx, { member_id, email, password_hash, now: now() });
      await markEmailVerified(tx, id, now());
    }
  };
}

/** Creates a key as an administrator does, for every row that a key may call. */
async function createKey({ platform, server }: Sandboxed, password: string): Promise<string> {
  const post = async (url: string, body: object, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const reply = await server.inject({ method: 'POST', url: `/api/v1${url}`, headers, payload: body });
    if (reply.statusCode >= 300) throw new Error(`POST ${url} failed: ${reply.payload}`);
    return reply.json<Readonly<Record<string, string>>>();
  };
  const { access_token } = await post('/auth/login', { email: administrator, password });
  const permissions = listPermissibleRows(platform.rows, 'org_admin');
  const { key } = await post(
    '/orgs/me/service-keys',
    { name: 'Sandbox', permissions, expiry_days: 730 },
    access_token,
  );
  return key!;
}

function describeAccess({
  members,
  seed,
  password,
  key,
}: Required<SandboxOptions> & { readonly password: string; readonly key: string }): string {
  return `Sandbox with ${members} made-up people, drawn with seed ${seed}. The key and the password are shown this once:
   service key     ${key}
   administrator   ${administrator}
   members         ${formatMemberEmail(1)} to ${formatMemberEmail(account_count)}
   password        ${password}
   test clock      POST /api/v1/sandbox/clock {"advance_seconds":86400}
`;
}
