import { computeLine, fault, isTest, type Source } from './source.ts';

/**
 * The files that commit, or read what was committed, apart from the transaction of an operation, and why a request that is repeated after a crash
 * between two commits takes effect once all the same. An Idempotency-Key covers only the transaction of the operation.
 */
const reasons: Readonly<Record<string, string>> = {
  'src/modules/access/service-keys/serve-token.ts':
    'The id of an assertion is unique, so a repeated one gets no second token.',
  'src/modules/access/accounts/guess-limits.ts': 'an attempt counts each time it is made',
  'src/modules/access/agents/grants/find-live-grant.ts': 'the time of the last use is the same or later',
  'src/modules/credentials/credentials/revocation/revocation-memory.ts': 'only reads',
  'src/modules/credentials/credentials/revocation/status-lists.ts':
    'an entry of a status list that is not used is lost, and its signed form follows from the list',
  'src/modules/credentials/credentials/verification/count-verifications.ts': 'counts what happened',
  'src/modules/credentials/credentials/verification/verify-stored-credential.ts': 'only reads and counts',
  'src/modules/income/payments/open-payment.ts':
    'a payment has keys that no other can have: those of the client, or the repeat_id of the request',
  'src/modules/income/payments/rails/settle-on-chain.ts': 'changes the state of one payment',
  'src/modules/income/payments/rails/transfer.ts': 'only reads',
  'src/modules/income/payments/rails/x402.ts': 'changes the state of one payment',
  'src/modules/income/payments/take-payment.ts': 'only reads',
  'src/modules/income/reads/making/pay-for-read.ts':
    'a quote replaces the one before, and a payment is refunded once because its state changes once',
  'src/modules/income/reads/making/read-member.ts': 'an answer counts each time it is given',
};

/** Commits apart from the transaction of an operation that nobody has judged, and judgements without a commit. */
export function findIndependentCommits(sources: readonly Source[]): string[] {
  const files = sources.filter(
    ({ path, code }) => path.startsWith('src/modules/') && !isTest(path) && /\bserviceDatabase\(/.test(code),
  );
  const unjudged = files
    .filter(({ path }) => !(path in reasons))
    .map(({ path, code }) =>
      fault(
        path,
        computeLine(code, code.search(/\bserviceDatabase\(/)),
        'say in scripts/tidy/independent-commits.ts why a repeated request takes effect once in spite of this commit.',
      ),
    );
  const known = new Set(sources.map(({ path }) => path));
  const stale = Object.keys(reasons)
    .filter((path) => known.has(path) && !files.some((each) => each.path === path))
    .map((path) =>
      fault(path, 1, 'uses serviceDatabase no longer: remove it from scripts/tidy/independent-commits.ts.'),
    );
  return [...unjudged, ...stale];
}
