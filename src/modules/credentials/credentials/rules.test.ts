import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traitCodes } from '#modules/measurement/traits';
import {
  allowedTiers,
  attestationTiers,
  checkClaims,
  claimNames,
  credentialTypes,
  computeExpiryCheck,
  computeExpiry,
  computeCredentialStatus,
  computeTraitCoverage,
  verifyClaims,
  type AttestationTier,
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
    fc.record(
      {
        archetype_family: word,
        archetype: word,
        trait_coverage: fc.constantFrom(0, 0.5, 1),
        assessment_completed_on: fc.constantFrom('2026-01-01', '2026-01-02'),
      },
      { requiredKeys: [] },
    ),
    { nil: undefined },
  ),
  placements: fc.array(fc.record({ job_title: word, organisation_name: word }), { maxLength: 3 }),
});

describe('the status of a credential', () => {
  it('is active before the expiry date and expired from then on, unless the credential was revoked', () => {
    fc.assert(
      fc.property(time, time, fc.option(time, { nil: null }), (expires_at, now, revoked_at) => {
        const status = computeCredentialStatus({ expires_at, revoked_at }, now);
        expect(status).toBe(revoked_at ? 'revoked' : now < expires_at ? 'active' : 'expired');
      }),
    );
  });

  it('agrees with the expiry check of tokens for every issued credential', () => {
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

describe('the claims that the service vouches for', () => {
  const type = fc.constantFrom(...credentialTypes);

  it('are known to the service, belong to the type and match the request', () => {
    fc.assert(
      fc.property(type, claims, known, (credential_type, requested, facts) => {
        const verified = tryVerifyClaims(credential_type, requested, facts);
        if (verified === undefined) return;
        const measured: Claims = facts.measured ?? {};
        const sources: readonly Claims[] = [measured, ...facts.placements];
        expect(Object.keys(verified).length).toBeGreaterThan(0);
        expect(sources.some((source) => hasClaims(source, verified))).toBe(true);
        expect(hasClaims(verified, requested)).toBe(true);
        expect(
          Object.keys(verified).every((name) =>
            (claimNames[credential_type] as readonly string[]).includes(name),
          ),
        ).toBe(true);
      }),
    );
  });

  it('do not exist for a member about whom the service knows nothing', () => {
    const nothing: KnownFacts = { measured: undefined, placements: [] };
    for (const credential_type of credentialTypes)
      expect(tryVerifyClaims(credential_type, {}, nothing)).toBeUndefined();
  });
});

describe('a tier', () => {
  const isAccepted = (type: CredentialType, tier: AttestationTier, requested: Claims) => {
    try {
      checkClaims(type, tier, requested);
      return true;
    } catch {
      return false;
    }
  };

  it('is accepted only for the types that it may vouch for', () => {
    for (const type of credentialTypes)
      for (const tier of attestationTiers)
        if (!allowedTiers[type].includes(tier))
          fc.assert(
            fc.property(claims, (requested) => !isAccepted(type, tier, requested)),
            { numRuns: 20 },
          );
    expect(credentialTypes.filter((type) => allowedTiers[type].includes('self_attested'))).toEqual([
      'trait_attestation',
      'archetype_attestation',
    ]);
  });

  it('of an organisation requires the name of the organisation', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('placement_attestation' as const, 'org_validation' as const),
        claims,
        (type, requested) => {
          const isNamed = requested.organisation_name !== undefined;
          expect(isNamed || !isAccepted(type, 'org_validated', requested)).toBe(true);
        },
      ),
    );
    expect(isAccepted('org_validation', 'org_validated', { statement: 'A steady hand.' })).toBe(false);
    expect(isAccepted('org_validation', 'org_validated', { organisation_name: 'Harbour Health' })).toBe(true);
  });
});

it('no claim is about a single trait', () => {
  const names: readonly string[] = Object.values(claimNames).flat();
  expect(names.filter((name) => traitCodes.some((code) => name.includes(code)))).toEqual([]);
});

it('coverage counts the traits whose variance is below 0.5', () => {
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

/** The claims that the service vouches for, or undefined if it refuses them. */
function tryVerifyClaims(
  credential_type: CredentialType,
  requested: Claims,
  facts: KnownFacts,
): Claims | undefined {
  try {
    checkClaims(credential_type, 'platform_verified', requested);
    return credential_type === 'org_validation' ? undefined : verifyClaims(credential_type, requested, facts);
  } catch {
    return undefined;
  }
}

function hasClaims(whole: Claims, part: Claims): boolean {
  return Object.entries(part).every(([name, value]) => whole[name as keyof Claims] === value);
}
