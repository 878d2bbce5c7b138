import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traitCodes } from '#modules/traits';
import {
  checkClaims,
  claimNames,
  credentialTypes,
  computeExpiryCheck,
  computeExpiry,
  computeCredentialStatus,
  computeTraitCoverage,
  verifyClaims,
  type Claims,
  type CredentialType,
  type KnownFacts,
} from './rules.ts';

const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
const word = fc.constantFrom('craft', 'keel', 'nurse', 'Harbour');
const claims: fc.Arbitrary<Claims> = fc.record(
  {
    archetype_family: word,
    archetype: word,
    trait_coverage: fc.constantFrom(0, 0.5, 1),
    assessment_completed_on: fc.constantFrom('2026-01-01', '2026-01-02'),
    job_title: word,
    organisation_name: word,
    statement: word,
  },
  { requiredKeys: [] },
);
const known: fc.Arbitrary<KnownFacts> = fc.record({
  measured: fc.option(
    fc.record({
      archetype_family: word,
      archetype: word,
      trait_coverage: fc.constantFrom(0, 0.5, 1),
      assessment_completed_on: fc.constantFrom('2026-01-01', '2026-01-02'),
    }),
    { nil: undefined },
  ),
  placements: fc.array(fc.record({ job_title: word, organisation_name: word }), { maxLength: 3 }),
});

describe('the status of a credential', () => {
  it('is active before its date and expired from it on, unless it was revoked', () => {
    fc.assert(
      fc.property(time, time, fc.option(time, { nil: null }), (expires_at, now, revoked_at) => {
        const status = computeCredentialStatus({ expires_at, revoked_at }, now);
        expect(status).toBe(revoked_at ? 'revoked' : now < expires_at ? 'active' : 'expired');
      }),
    );
  });

  it('and the check of a token’s times agree about every credential that was issued', () => {
    fc.assert(
      fc.property(
        time,
        fc.integer({ min: 1, max: 3_650 }),
        fc.integer({ min: 0, max: 4_000 * 86_400_000 }),
        (issued, days, later_ms) => {
          const expires_at = computeExpiry(issued, days);
          const now = new Date(issued.getTime() + later_ms);
          const times = {
            issued_at_s: Math.floor(issued.getTime() / 1000),
            expires_at_s: expires_at.getTime() / 1000,
          };
          expect(Number.isInteger(times.expires_at_s)).toBe(true);
          expect(computeExpiryCheck(times, now) === 'passed').toBe(
            computeCredentialStatus({ expires_at, revoked_at: null }, now) === 'active',
          );
        },
      ),
    );
  });
});

describe('what the service vouches for', () => {
  const type = fc.constantFrom(...credentialTypes);

  it('is known to it, is of the type, and is what was asked for', () => {
    fc.assert(
      fc.property(type, claims, known, (credential_type, asked, facts) => {
        const vouched = outcome(credential_type, asked, facts);
        if (vouched === undefined) return;
        const measured: Claims = facts.measured ?? {};
        const sources: readonly Claims[] = [measured, ...facts.placements];
        expect(Object.keys(vouched).length).toBeGreaterThan(0);
        expect(sources.some((source) => contains(source, vouched))).toBe(true);
        expect(contains(vouched, asked)).toBe(true);
        expect(
          Object.keys(vouched).every((name) =>
            (claimNames[credential_type] as readonly string[]).includes(name),
          ),
        ).toBe(true);
      }),
    );
  });

  it('is never said of somebody of whom nothing is known', () => {
    const nothing: KnownFacts = { measured: undefined, placements: [] };
    for (const credential_type of credentialTypes)
      expect(outcome(credential_type, {}, nothing)).toBeUndefined();
  });
});

it('no claim is about a single trait', () => {
  const names: readonly string[] = Object.values(claimNames).flat();
  expect(names.filter((name) => traitCodes.some((code) => name.includes(code)))).toEqual([]);
});

it('coverage counts the traits of whose uncertainty less than half is left', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 }),
      (variances) => {
        const coverage = computeTraitCoverage(variances);
        expect(coverage).toBe((variances.filter((variance) => variance < 0.5).length * 5) / 100);
      },
    ),
  );
});

/** The claims that are vouched for, or undefined where they are refused. */
function outcome(credential_type: CredentialType, asked: Claims, facts: KnownFacts): Claims | undefined {
  try {
    checkClaims(credential_type, 'platform_verified', asked);
    return verifyClaims(credential_type, asked, facts);
  } catch {
    return undefined;
  }
}

function contains(whole: Claims, part: Claims): boolean {
  return Object.entries(part).every(([name, value]) => whole[name as keyof Claims] === value);
}
