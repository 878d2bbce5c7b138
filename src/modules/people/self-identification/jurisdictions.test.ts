import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ConfigError } from '#platform/config-numbers.ts';
import { listOfferedChoices, readJurisdictions } from './jurisdictions.ts';
import { identityAttributes, identityChoices } from './rules.ts';

describe('the answers that are offered', () => {
  it('are all where nothing is set, and without a country', () => {
    expect(listOfferedChoices('', 'AU')).toEqual(identityChoices);
    expect(listOfferedChoices('AU.gender=none', null)).toEqual(identityChoices);
  });

  it('leave out ethnic origin in France, and follow the directive in the United States', () => {
    expect(listOfferedChoices('', 'FR').ethnicity).toEqual([]);
    expect(listOfferedChoices('', 'US').ethnicity).toHaveLength(7);
  });

  it('are replaced question by question', () => {
    const setting = 'FR.gender=man,woman; US.ethnicity = black,asian';
    expect(listOfferedChoices(setting, 'FR')).toEqual({
      ...identityChoices,
      gender: ['woman', 'man'],
      ethnicity: [],
    });
    expect(listOfferedChoices(setting, 'US').ethnicity).toEqual(['asian', 'black']);
  });

  it('are those that are set, in the order of the questions, for every selection', () => {
    const attribute = fc.constantFrom(...identityAttributes);
    const selection = attribute.chain((each) =>
      fc.tuple(fc.constant(each), fc.shuffledSubarray([...identityChoices[each]] as string[])),
    );
    fc.assert(
      fc.property(selection, ([each, chosen]) => {
        const setting = `NZ.${each}=${chosen.join(',') || 'none'}`;
        const offered = listOfferedChoices(setting, 'NZ');
        const known: readonly string[] = identityChoices[each];
        expect(offered).toEqual({ ...identityChoices, [each]: known.filter((one) => chosen.includes(one)) });
      }),
    );
  });
});

test.each([
  'GB',
  'GB.gender',
  'gb.gender=man',
  'GBR.gender=man',
  'GB.religion=none',
  'GB.gender=unknown',
  'GB.gender=man,,woman',
  'GB.gender=man=woman',
  'GB.gender.x=man',
  'GB.gender=man;GB.gender=woman',
])('a setting that is not valid names the part: %s', (setting) => {
  expect(() => readJurisdictions(setting)).toThrow(ConfigError);
  expect(() => readJurisdictions(setting)).toThrow(/^TESSERA_SELF_IDENTIFICATION is not valid: (GB|gb)/);
});
