import { parseTime } from '#lib/outside-values.ts';
import { toText, type Fields } from '../reading/json.ts';

export type PeriodCheck = 'passed' | 'expired' | 'not_yet_valid';

/** The tolerated difference between clocks. */
const skew_ms = 60_000;

/** The bounds within which a credential is valid. All names that data models have for them count, and the narrowest. */
export function readPeriod(content: Fields): {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
} {
  const { nbf, exp, validFrom, validUntil, issuanceDate, expirationDate } = content;
  const from = [toSeconds(nbf), toTime(validFrom), toTime(issuanceDate)].filter((each) => each !== undefined);
  const until = [toSeconds(exp), toTime(validUntil), toTime(expirationDate)].filter(
    (each) => each !== undefined,
  );
  return {
    from: from.toSorted((one, other) => other.getTime() - one.getTime())[0],
    until: until.toSorted((one, other) => one.getTime() - other.getTime())[0],
  };
}

/** Whether a credential is valid at a time, as far as its own dates say. */
export function computePeriodCheck(content: Fields, now: Date): PeriodCheck {
  const { from, until } = readPeriod(content);
  if (until && until <= now) return 'expired';
  return from && from.getTime() > now.getTime() + skew_ms ? 'not_yet_valid' : 'passed';
}

function toTime(value: unknown): Date | undefined {
  return parseTime(toText(value) ?? '');
}

/** Seconds since 1970, up to the year 9999. */
function toSeconds(value: unknown): Date | undefined {
  const isTime = typeof value === 'number' && value >= 0 && value < 253_402_300_800;
  return isTime ? new Date(value * 1000) : undefined;
}

/** What a verification comes to. `not_checked`: something could not be checked, and nothing that was is wrong. */
export const verdicts = [
  'genuine',
  'self_declared',
  'unknown_issuer',
  'revoked',
  'expired',
  'not_yet_valid',
  'changed',
  'not_checked',
] as const;

export type VerdictName = (typeof verdicts)[number];

/** The result of each check. `not_checked`: it could not be made, or an earlier one failed. */
export type AnyChecks = {
  readonly issuer: 'this_service' | 'domain' | 'key' | 'not_checked';
  readonly signature: 'passed' | 'wrong' | 'not_checked';
  readonly period: PeriodCheck | 'not_checked';
  readonly status: 'passed' | 'revoked' | 'suspended' | 'none' | 'not_checked';
};

/** The verdict on a credential: what is wrong with it comes before what is not known about it. */
export function decideVerdict(
  { issuer, signature, period, status }: AnyChecks,
  { is_self_attested }: { readonly is_self_attested: boolean },
): VerdictName {
  if (signature === 'wrong') return 'changed';
  if (signature === 'not_checked') return 'not_checked';
  if (status === 'revoked' || status === 'suspended') return 'revoked';
  if (period === 'expired' || period === 'not_yet_valid') return period;
  if (status === 'not_checked' || period === 'not_checked' || issuer === 'not_checked') return 'not_checked';
  if (issuer === 'key') return 'unknown_issuer';
  return is_self_attested ? 'self_declared' : 'genuine';
}
