import { nil_uuid } from '#lib/nil-uuid.ts';
import { Refusal } from '#lib/refusal.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { toNetwork } from '#platform/limits/rate-limits.ts';
import {
  deleteGuesses,
  findWindowEnd,
  insertGuess,
  updateGuessReturned,
  type Allowance,
} from './store-guesses.ts';
import { listSessionAddresses } from './sessions/store.ts';

/** A try at the password of an e-mail address, or at the second factor of a user. */
export type Guess = {
  readonly what: 'password' | 'code';
  /** The canonical address, for a password; the user's id, for a code. */
  readonly account: string;
  /** Undefined for an address that nobody has. */
  readonly user_id: string | undefined;
  /** Where the guess comes from. */
  readonly address: string;
};

/**
 * Wrong guesses within a window. A whole account allows fewer codes than passwords: a code has a million values, and whoever guesses at it
 * has the password already.
 */
const limits = {
  password: { pair: [10, 900], network: [100, 900], account: [100, 3_600] },
  code: { pair: [10, 900], network: [100, 900], account: [20, 3_600] },
} as const;

const addresses_max = 500;

/**
 * Runs a guess where the wrong ones before it leave room. They are counted for the account seen from one network, for the network over all
 * accounts, and for the account over all networks. Whoever guesses from everywhere closes the account to strangers for an hour and never
 * to its user: networks that the user has signed in from meet the first limit alone.
 *
 * A guess counts before it is decided, so that guesses sent all at once count as well; a right one, and one that breaks off, is given
 * back. The counts stand in the database: every process sees them, and a restart forgets none. Limits switched off switch this off.
 *
 * @throws Refusal `too_many_requests`.
 */
export async function runLimitedGuess<Result>(
  services: Services,
  guess: Guess,
  attempt: () => Promise<Result>,
  isRight: (result: Result) => boolean,
): Promise<Result> {
  if (!services.config.rateLimits) return attempt();
  const allowances = buildAllowances(services, guess);
  const taken = await takeGuess(services, guess, allowances);
  let wrong = false;
  try {
    const result = await attempt();
    wrong = !isRight(result);
    // A success forgives what the same user got wrong from the same network.
    if (!wrong) await deleteGuesses(serviceDatabase(services), [allowances.pair.key_hash]);
    return result;
  } finally {
    if (!wrong) await updateGuessReturned(serviceDatabase(services), taken);
  }
}

/** Forgets the wrong guesses at an account: somebody has proven otherwise that it is theirs. */
export async function forgetWrongGuesses(services: Services, guess: Guess): Promise<void> {
  const { pair, account } = buildAllowances(services, guess);
  await deleteGuesses(serviceDatabase(services), [pair.key_hash, account.key_hash]);
}

type Allowances = Readonly<Record<'pair' | 'network' | 'account', Allowance>>;

function buildAllowances({ secrets }: Services, { what, account, address }: Guess): Allowances {
  const network = toNetwork(address);
  const buildAllowance = (kind: keyof Allowances, ...key: readonly string[]): Allowance => {
    const [guesses_max, window_seconds] = limits[what][kind];
    return {
      key_hash: secrets.computeHmac('guess', JSON.stringify([what, kind, ...key])),
      guesses_max,
      window_seconds,
    };
  };
  return {
    pair: buildAllowance('pair', account, network),
    network: buildAllowance('network', network),
    account: buildAllowance('account', account),
  };
}

/** Takes a guess from every allowance; the keys that gave one. Where the guess is refused, none has given any. */
async function takeGuess(
  services: Services,
  guess: Guess,
  allowances: Allowances,
): Promise<readonly Buffer[]> {
  const database = serviceDatabase(services);
  const { pair, network, account } = allowances;
  const now = services.now();
  const order = [pair, network, account] as const;
  const taken = await insertGuess(database, order, now);
  const empty = order[taken.length];
  if (empty === undefined) return taken;
  if (empty !== pair && (await isKnownNetwork(services, guess))) return taken;
  await updateGuessReturned(database, taken);
  const ends_at = await findWindowEnd(database, empty.key_hash);
  throw createTooManyGuessesRefusal((ends_at?.getTime() ?? 0) - now.getTime());
}

/** Whether the user has signed in from this network, as far as sessions are remembered. */
async function isKnownNetwork(services: Services, { user_id, address }: Guess): Promise<boolean> {
  const known = await listSessionAddresses(serviceDatabase(services), user_id ?? nil_uuid, addresses_max);
  const network = toNetwork(address);
  return known.some((each) => toNetwork(each) === network);
}

function createTooManyGuessesRefusal(wait_ms: number): Refusal {
  return new Refusal('too_many_requests', {
    detail: 'Too many wrong guesses: wait for the seconds in Retry-After.',
    headers: { 'retry-after': String(Math.max(1, Math.ceil(wait_ms / 1000))) },
  });
}
