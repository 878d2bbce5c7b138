import { expect, test } from 'vitest';
import { matchQualities } from '#modules/matching/engine';
import { describeTier } from '../../src/modules/matching/partners/rules.ts';
import { english } from '../../src/web/texts/english.ts';

test('a tier has the same words in the console and in applicant tracking systems', () => {
  for (const match_quality of matchQualities)
    expect(english.matches.tiers[match_quality]).toBe(describeTier({ match_quality }));
});
