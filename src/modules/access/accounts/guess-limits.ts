import { nil_uuid } from '#lib/nil-uuid.ts';
import { Refusal } from '#lib/refusal.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { toNetwork } from '#platform/limits/rate-limits.ts';
import {
  chargeAllowance,
  deleteGuesses,
  findWindowEnd,
  insertGuess,
  isUsedUp,
  returnGuess,
  type Allowance,
} from './store-guesses.ts';
import { buildAllowance } from './build-allowance.ts';
import { toCanonicalEmail } from './rules.ts';
import { recordFailedLogin } from './sessions/record-login.ts';
import { listSessionAddresses } from './sessions/store.ts';
import { findUser } from './store.ts';

/** What is counted whenever it succeeds: a new stub, a new handle, a volunteer, or an email to an address that is not proven to be its account's. */
type Creation = 'stub' | 'handle' | 'volunteer' | 'mail';

/** Who causes an email: the account that holds the address, or anybody who only names it. */
type MailCause = 'holder' | 'others';

/** An attempt at the password of an email address, at the MFA code of a user, with a passkey or at a claim code, or a creation. */
export type Guess = {
  readonly what: 'password' | 'code' | 'passkey' | 'claim_code' | Creation;
  /** The canonical email address for a password; the user's id for a code; the id of the credential for a passkey; the code itself; the network address for a stub, a handle or a volunteer; the cause and the recipient for an email. */
  readonly account: string;
  /** Undefined for an email address without an account, and for a login with a passkey. */
  readonly user_id: string | undefined;
  /** The network address of the client. */
  readonly address: string;
};

/**
 * The allowed wrong guesses and the length of their window in seconds. An account allows fewer codes than passwords, because a code has
 * only a million values, and anyone who guesses codes already has the password.
 */
const limits = {
  password: { pair: [10, 900], network: [100, 900], account: [100, 3_600] },
  code: { pair: [10, 900], network: [100, 900], account: [20, 3_600] },
  passkey: { pair: [10, 900], network: [100, 900], account: [100, 3_600] },
  claim_code: { pair: [10, 900], network: [20, 900], account: [100, 3_600] },
  stub: { pair: [30, 3_600], network: [30, 3_600], account: [30, 3_600] },
  handle: { pair: [30, 3_600], network: [30, 3_600], account: [30, 3_600] },
  volunteer: { pair: [40, 3_600], network: [40, 3_600], account: [40, 3_600] },
  mail: { pair: [10, 86_400], network: [300, 3_600], account: [10, 86_400] },
} as const;

/**
 * Claim codes have no owner who could be locked out, and an attacker can use many networks. After this many wrong codes from all networks
 * together, each network is allowed fewer: it becomes slow to try codes, and nobody who has a right code is refused.
 */
const overallLimits = {
  claim_code: { overall: [2_000, 3_600], network: [3, 900] },
} as const;

const addresses_max = 500;

/**
 * Runs a guess unless too many wrong ones preceded it. Wrong guesses are counted per account and network, per network, and per account.
 * An attacker with many networks blocks the account for unknown networks for an hour, but not for its user: networks that the user has
 * logged in from are subject to the first limit only.
 *
 * A guess is counted before it is checked, so that concurrent guesses count as well. It is returned if it was right or failed with an
 * error. The counts are stored in the database, so that all processes share them and they survive a restart. If rate limits are switched
 * off, nothing is counted.
 *
 * @throws Refusal `too_many_requests`.
 */
export async function runLimitedGuess<Result>(
  services: Services,
  guess: Guess,
  attempt: () => Promise<Result>,
  isRight: (result: Result) => boolean,
): Promise<Result> {
  if (!services.config.rateLimits) {
    const result = await attempt();
    if (!isRight(result)) await recordWrongGuess(services, guess);
    return result;
  }
  const overall = buildOverallAllowance(services, guess);
  const isBusy =
    overall !== undefined && (await isUsedUp(serviceDatabase(services), overall, services.now()));
  const allowances = buildAllowances(services, guess, isBusy);
  const charged_keys = await chargeGuess(services, guess, allowances);
  let wrong = false;
  try {
    const result = await attempt();
    wrong = !isRight(result);
    // A success resets the count for this account and network.
    if (!wrong) await deleteGuesses(serviceDatabase(services), [allowances.pair.key_hash]);
    else if (overall) await chargeAllowance(serviceDatabase(services), overall, services.now());
    if (wrong) await recordWrongGuess(services, guess);
    return result;
  } finally {
    if (!wrong) await returnGuess(serviceDatabase(services), charged_keys);
  }
}

/**
 * Does something after which an email goes to an address that nobody has proven to be the recipient's, unless that address got too many of them
 * today, from any senders, or the network of the caller caused too many. The caller chooses who gets such an email.
 *
 * @param cause Emails of others are counted apart, so that they keep nobody from registering with their own address or verifying it.
 * @throws Refusal `too_many_requests`.
 */
export function runLimitedMail<Result>(
  services: Services & { readonly request: { readonly address: string } },
  recipient: string,
  cause: MailCause,
  send: () => Promise<Result>,
): Promise<Result> {
  const { address } = services.request;
  const account = `${cause} ${toCanonicalEmail(recipient)}`;
  return runLimitedGuess(services, { what: 'mail', account, user_id: undefined, address }, send, () => false);
}

/**
 * Records a wrong password, code or passkey in the audit log. A name without an account gets an entry as well, which names nobody, so that
 * the reply takes as long. The limits on guesses bound how many there are.
 */
async function recordWrongGuess(services: Services, { what, user_id }: Guess): Promise<void> {
  if (what !== 'password' && what !== 'code' && what !== 'passkey') return;
  const user = await findUser(serviceDatabase(services), user_id ?? nil_uuid);
  await serviceDatabase(services).transaction((tx) =>
    recordFailedLogin(tx, { now: services.now(), user, detail: { factor: what } }),
  );
}

/** Deletes the counts of wrong guesses at an account, after the user has proven in another way that it is theirs. */
export async function forgetWrongGuesses(services: Services, guess: Guess): Promise<void> {
  const { pair, account } = buildAllowances(services, guess);
  await deleteGuesses(serviceDatabase(services), [pair.key_hash, account.key_hash]);
}

type Allowances = Readonly<Record<'pair' | 'network' | 'account', Allowance>>;

/** The allowance of all networks together, for guesses that have one. */
function buildOverallAllowance(services: Services, { what }: Guess): Allowance | undefined {
  return what === 'claim_code'
    ? buildAllowance(services, [what, 'overall'], overallLimits[what].overall)
    : undefined;
}

function buildAllowances(services: Services, { what, account, address }: Guess, isBusy = false): Allowances {
  const network = toNetwork(address);
  const { pair, network: perNetwork, account: perAccount } = limits[what];
  return {
    pair: buildAllowance(services, [what, 'pair', account, network], pair),
    network:
      isBusy && what === 'claim_code'
        ? buildAllowance(services, [what, 'busy network', network], overallLimits[what].network)
        : buildAllowance(services, [what, 'network', network], perNetwork),
    account: buildAllowance(services, [what, 'account', account], perAccount),
  };
}

/** Charges a guess to the allowances and returns the charged keys. A refused guess is not charged. @throws Refusal `too_many_requests`. */
async function chargeGuess(
  services: Services,
  guess: Guess,
  allowances: Allowances,
): Promise<readonly Buffer[]> {
  const database = serviceDatabase(services);
  const { pair, network, account } = allowances;
  const now = services.now();
  const order = [pair, network, account] as const;
  const charged_keys = await insertGuess(database, order, now);
  const exhausted = order[charged_keys.length];
  if (exhausted === undefined) return charged_keys;
  if (exhausted !== pair && (await isKnownNetwork(services, guess))) return charged_keys;
  await returnGuess(database, charged_keys);
  const ends_at = await findWindowEnd(database, exhausted.key_hash);
  throw createTooManyGuessesRefusal(guess, (ends_at?.getTime() ?? 0) - now.getTime());
}

/** Whether one of the user's stored sessions was started from this network. */
async function isKnownNetwork(services: Services, { user_id, address }: Guess): Promise<boolean> {
  const addresses = await listSessionAddresses(serviceDatabase(services), user_id ?? nil_uuid, addresses_max);
  const network = toNetwork(address);
  return addresses.some((each) => toNetwork(each) === network);
}

const excesses: Readonly<Record<Creation, string>> = {
  stub: 'Too many identities were prepared from this network',
  handle: 'Too many accounts were created from this network',
  volunteer: 'Too many people began from this network',
  mail: 'Too many emails were sent to this address, or on behalf of this network',
};

function createTooManyGuessesRefusal({ what }: Guess, wait_ms: number): Refusal {
  const excess = what in excesses ? excesses[what as Creation] : 'Too many failed attempts';
  return new Refusal('too_many_requests', {
    detail: `${excess}: wait the number of seconds in Retry-After, then try again.`,
    headers: { 'retry-after': String(Math.max(1, Math.ceil(wait_ms / 1000))) },
  });
}
