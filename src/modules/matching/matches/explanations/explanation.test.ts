import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  traitCodes,
  traitMeanings,
  traitNames,
  type TraitCode,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { proves } from '#test/requirements.ts';
import { confidenceLevels, matchQualities } from '#modules/matching/engine';
import { applyPolicy } from '../policies/rules.ts';
import { belongingLabels, type Culture } from '../belonging.ts';

import { integrityTraits, listDescribedTraits } from './described-traits.ts';
import { formatExplanation } from './explanation-words.ts';
import { explainMatch, type ExplainedMember } from './explanation.ts';
import { traitSentences } from './trait-sentences.ts';

const means = fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { minLength: 20, maxLength: 20 });
const variances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 });
const jobs: fc.Arbitrary<TraitPriorities> = fc
  .dictionary(fc.constantFrom(...traitCodes), fc.double({ min: 0, max: 1, noNaN: true }), { minKeys: 1 })
  .filter((job) => Object.values(job).some((priority) => priority > 0));
const cultures = fc.option(
  fc.record({
    basis: fc.constantFrom('measured' as const, 'declared' as const),
    braving: fc.record({
      nonjudgment: fc.double({ min: 0, max: 1, noNaN: true }),
      generosity: fc.double({ min: 0, max: 1, noNaN: true }),
      boundaries: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    cvf: fc.constantFrom(
      { clan: 0.5, adhocracy: 0.2, market: 0.2, hierarchy: 0.1 },
      { clan: 0.1, adhocracy: 0.4, market: 0.4, hierarchy: 0.1 },
      { clan: 0.25, adhocracy: 0.25, market: 0.25, hierarchy: 0.25 },
    ),
  }),
  { nil: undefined },
);

const values = fc.option(
  fc.record({ clan: fc.nat(100), adhocracy: fc.nat(100), market: fc.nat(100), hierarchy: fc.nat(100) }),
);

const readers = ['member', 'organisation'] as const;

function createMember(traits: Partial<Record<TraitCode, number>>, variance = 0.15): ExplainedMember {
  const mean = traitCodes.map((code) => traits[code] ?? 0);
  return { mean, variance: mean.map(() => variance), provisional: false, values: null };
}

const matches = fc.record({
  member: fc.record({ mean: means, variance: variances, provisional: fc.boolean(), values }),
  job: jobs,
  multipliers: fc.array(fc.double({ min: 0.2, max: 2, noNaN: true }), { minLength: 20, maxLength: 20 }),
  culture: cultures,
  match_quality: fc.constantFrom(...matchQualities),
  confidence_level: fc.constantFrom(...confidenceLevels),
});

type ArbitraryMatch = typeof matches extends fc.Arbitrary<infer Match> ? Match : never;

/** Multiplies priorities as a policy does. */
const multiply = ({ job, multipliers }: Pick<ArbitraryMatch, 'job' | 'multipliers'>) =>
  applyPolicy(
    { version: 2, multipliers: { all: multipliers } },
    { trait_priorities: job, occupation_code: null },
  );

function explain(
  { member, job, multipliers, culture, ...labels }: ArbitraryMatch,
  reader: (typeof readers)[number],
  { has_agreed = true, is_detailed = false } = {},
) {
  const explanation = explainMatch(member, { job, computed: multiply({ job, multipliers }) }, culture);
  return formatExplanation(
    { ...explanation, ...labels, trait_priorities: job, values: member.values, culture },
    { reader, has_agreed, is_detailed },
  );
}

const numberWords =
  /\b(zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|thousand|first|second|third|half|quarter|twice|double|per ?cent|percentile|score|rank|points?)\b/i;

/** Runs a check on the texts of a thousand matches for both readers. */
function checkTexts(
  check: (texts: ReturnType<typeof explain>, match: ArbitraryMatch, reader: (typeof readers)[number]) => void,
): void {
  fc.assert(
    fc.property(matches, (match) => {
      for (const reader of readers) check(explain(match, reader), match, reader);
    }),
    { numRuns: 500 },
  );
}

describe('a thousand explanations', () => {
  it('contain no digit, no number in words and no gap', () => {
    proves('match-members-see-tier-labels-only', 'trait-weights-not-exposed');
    checkTexts(({ belonging_basis, ...words }, { culture }) => {
      expect(belonging_basis).toBe(culture?.basis ?? null);
      const text = JSON.stringify(words);
      expect(text).not.toMatch(/\p{N}/u);
      expect(text).not.toMatch(numberWords);
      expect(text.replace('"standings":null', '')).not.toMatch(/undefined|null|\s{2}|\[object/);
    });
  });

  it('claim no strength in a trait that is not clearly above average, or that the job does not ask for', () => {
    checkTexts(({ top_strengths, summary_text }, { member, job }, reader) => {
      for (const [slot, code] of traitCodes.entries()) {
        const isClaimed =
          top_strengths.includes(traitSentences[code].strength[reader]) ||
          summary_text.includes(`${traitNames[code]} is above average`);
        const isClear = member.mean[slot]! > 1.96 * Math.sqrt(member.variance[slot]!);
        expect(isClaimed && !(isClear && job[code]! > 0)).toBe(false);
      }
      expect(top_strengths.length).toBeLessThanOrEqual(3);
    });
  });

  it('call no trait a growth area that is not clearly below average, or that the job hardly asks for', () => {
    checkTexts(({ growth_areas, summary_text }, { member, ...asked }, reader) => {
      const job = multiply(asked);
      const highest = Math.max(...Object.values(job));
      for (const [slot, code] of traitCodes.entries()) {
        const isListed = growth_areas.includes(traitSentences[code].growth[reader]);
        const isClaimed = isListed || summary_text.includes(`${traitNames[code]} is something that`);
        const isClear = member.mean[slot]! < -1.96 * Math.sqrt(member.variance[slot]!);
        expect(isClaimed && !isClear).toBe(false);
        expect(isListed && !(job[code]! >= highest / 2)).toBe(false);
      }
      expect(growth_areas.length).toBeLessThanOrEqual(3);
    });
  });

  it('name the two traits that the job asks for most, whether the member has them or not, and say of each what is known', () => {
    checkTexts(({ summary_text }, { job }, reader) => {
      const sorted = traitCodes
        .filter((code) => (job[code] ?? 0) > 0)
        .toSorted((one, other) => job[other]! - job[one]!)
        .slice(0, 2);
      const described = sorted.filter((code) => reader === 'member' || !integrityTraits.has(code));
      const named = described.map((code) => traitNames[code].toLowerCase()).join(' and ');
      expect(/his job asks most for (.*?)\./.exec(summary_text)?.[1] ?? '').toBe(named);
      expect(summary_text.includes('Of what is described here')).toBe(
        described.length > 0 && described.length < sorted.length,
      );
      for (const code of sorted) {
        const statement = new RegExp(
          `${traitNames[code]} is (above average|neither clearly above|something that|better judged)`,
        );
        expect(summary_text).toMatch(statement);
        expect(summary_text.includes(`${traitNames[code]} is better judged`)).toBe(
          reader === 'organisation' && integrityTraits.has(code),
        );
      }
    });
  });

  it('never name as what the job asks for most a trait about which they then say nothing', () => {
    const kinds = new Set<string>();
    checkTexts(({ summary_text }, _, reader) => {
      const [, wish = ''] = /asks most for (.*?)\./.exec(summary_text) ?? [];
      const withheld = traitCodes.filter((code) =>
        summary_text.includes(`${traitNames[code]} is better judged`),
      );
      kinds.add(`${reader}, ${withheld.length} withheld`);
      for (const code of withheld) expect(wish).not.toContain(traitNames[code].toLowerCase());
    });
    expect(kinds).toContain('organisation, 1 withheld');
    expect(kinds).toContain('organisation, 2 withheld');
  });

  it('name a trait whose priority is so small that the policy makes it zero', () => {
    const { summary_text } = explain(
      {
        member: {
          mean: traitCodes.map(() => 0),
          variance: traitCodes.map(() => 0.15),
          provisional: false,
          values: null,
        },
        job: { collaborative_orientation: 0.4, pressure_response: Number.MIN_VALUE },
        multipliers: traitCodes.map(() => 0.2),
        culture: undefined,
        match_quality: 'exceptional',
        confidence_level: 'high',
      },
      'member',
    );
    expect(summary_text).toContain('This job asks most for collaboration and calm under pressure.');
  });

  it('address the member as you, and describe this person to the organisation', () => {
    checkTexts((words, _, reader) => {
      const text = JSON.stringify(words);
      expect(text).not.toMatch(
        reader === 'member' ? /this person|the member/i : /\byou\b|\byour\b|the member/i,
      );
    });
  });

  it('tell an organisation the same about any two members who differ in integrity alone', () => {
    checkTexts((words, match, reader) => {
      if (reader === 'member') return;
      const change = (value: number, code: TraitCode) => (integrityTraits.has(code) ? -value - 1 : value);
      const mean = match.member.mean.map((value, slot) => change(value, traitCodes[slot]!));
      // Belonging compares the whole member with the culture, so it may change.
      const without = { ...match, culture: undefined };
      const changed = explain({ ...without, member: { ...match.member, mean } }, 'organisation');
      expect(changed).toEqual(explain(without, 'organisation'));
      for (const code of integrityTraits) {
        expect(words.top_strengths).not.toContain(traitSentences[code].strength.organisation);
        expect(words.growth_areas).not.toContain(traitSentences[code].growth.organisation);
      }
    });
  });

  it('say what belonging is based on, and take a declared culture for no measurement', () => {
    checkTexts(({ summary_text }, { culture }) => {
      expect(summary_text.includes('what people who work there have answered')).toBe(
        culture?.basis === 'measured',
      );
      expect(summary_text.includes('what it declares about itself; it has not been measured')).toBe(
        culture?.basis === 'declared',
      );
    });
  });

  it('repeat the values that the member has stated to the member alone, and compare them correctly', () => {
    const phrases = {
      clan: 'people and belonging',
      adhocracy: 'new ideas and change',
      market: 'results and competition',
      hierarchy: 'order and reliability',
    } as const;
    const list = (of: Readonly<Record<keyof typeof phrases, number>>) =>
      (Object.keys(phrases) as (keyof typeof phrases)[]).filter(
        (each) => of[each] === Math.max(...Object.values(of)),
      );
    let compared = 0;
    checkTexts(({ summary_text }, { member, culture }, reader) => {
      const stated = member.values ? list(member.values) : [];
      const claim = /You said that (.*?) matter most to you/.exec(summary_text)?.[1];
      const isStated = reader === 'member' && stated.length === 1;
      expect(claim).toBe(isStated ? phrases[stated[0]!] : undefined);
      const valued = isStated && culture ? list((culture as Culture).cvf) : [];
      const isCompared = valued.length === 1;
      compared += Number(isCompared);
      const isSame = isCompared && valued[0] === stated[0];
      const isDeclared = culture?.basis === 'declared';
      expect(summary_text.includes('as they do in this organisation')).toBe(isSame && !isDeclared);
      expect(summary_text.includes('this organisation says the same about itself')).toBe(
        isSame && isDeclared,
      );
      const other = isCompared && valued[0] !== stated[0] ? phrases[valued[0]!] : undefined;
      expect(/this organisation (?:says that it )?values (.*?) most/.exec(summary_text)?.[1]).toBe(other);
    });
    expect(compared).toBeGreaterThan(50);
  });
});

describe('a thousand explanations in detail', () => {
  const detail = { has_agreed: false, is_detailed: true };
  const checkDetails = (check: (words: ReturnType<typeof explain>, match: ArbitraryMatch) => void): void =>
    fc.assert(
      fc.property(matches, (match) => check(explain(match, 'organisation', detail), match)),
      { numRuns: 500 },
    );

  it('contain no digit and no number in words', () => {
    checkDetails(({ standings, ...given }) => {
      const words = { ...given, belonging_basis: undefined };
      const text = JSON.stringify([words, standings!.map(({ reason }) => reason)]);
      expect(text).not.toMatch(/\p{N}/u);
      expect(text).not.toMatch(numberWords);
      expect(text).not.toMatch(/undefined|null|\s{2}|\[object/);
    });
  });

  it('say the same in the summary as in the list, and nothing about other traits', () => {
    checkDetails(({ summary_text, standings, top_strengths, growth_areas }, { job }) => {
      const described = standings!.map(({ trait }) => trait);
      expect(described).toEqual(listDescribedTraits(job));
      for (const { reason } of standings!) expect(summary_text).toContain(reason);
      for (const code of traitCodes.filter((each) => !described.includes(each))) {
        expect(top_strengths).not.toContain(traitSentences[code].strength.organisation);
        expect(growth_areas).not.toContain(traitSentences[code].growth.organisation);
        expect(summary_text).not.toContain(`${traitNames[code]}:`);
      }
    });
  });

  it('name as what the job asks for most what they then describe, and nothing that is withheld', () => {
    checkDetails(({ summary_text, standings }) => {
      const [, wish = ''] = /asks most for (.*?)\./.exec(summary_text) ?? [];
      for (const { trait } of standings!) expect(wish).toContain(traitNames[trait].toLowerCase());
      const withheld = traitCodes.filter((code) =>
        summary_text.includes(`${traitNames[code]} is better judged`),
      );
      for (const code of withheld) expect(wish).not.toContain(traitNames[code].toLowerCase());
      expect(summary_text.includes('Of what is described here')).toBe(
        withheld.length > 0 && standings!.length > 0,
      );
    });
  });

  it('call a trait a strength or worth discussing only where its standing is clear', () => {
    checkDetails(({ standings, top_strengths, growth_areas }, { member }) => {
      // A percentile cannot hold what is that close to the average.
      const known = standings!.filter(
        ({ trait }) => Math.abs(member.mean[traitCodes.indexOf(trait)]!) > 1e-9,
      );
      const listSides = (kind: 'strength' | 'growth', texts: readonly string[]) =>
        known
          .filter(({ trait }) => texts.includes(traitSentences[trait][kind].organisation))
          .map(({ standing, side }) => `${standing} ${side}`);
      for (const side of listSides('strength', top_strengths)) expect(side).toMatch(/^clear (far_)?above$/);
      for (const side of listSides('growth', growth_areas)) expect(side).toMatch(/^clear (far_)?below$/);
    });
  });

  it('are the same about any two members who differ in integrity alone', () => {
    checkDetails((_, match) => {
      const mean = match.member.mean.map((value, slot) =>
        integrityTraits.has(traitCodes[slot]!) ? -value - 1 : value,
      );
      const without = { ...match, culture: undefined };
      const changed = explain({ ...without, member: { ...match.member, mean } }, 'organisation', detail);
      expect(changed).toEqual(explain(without, 'organisation', detail));
    });
  });
});

describe('an explanation', () => {
  it('has words for every trait and label', () => {
    const belonging = { authenticity: 'high', acceptance: 'low', complementarity: 'moderate' } as const;
    for (const reader of readers)
      for (const label of belongingLabels)
        for (const code of traitCodes) {
          const words = formatExplanation(
            {
              priorities: [{ code, state: 'unclear' }],
              standings: [{ code, standing: 'open', side: null, extreme: null }],
              strengths: [code],
              growth: [code],
              belonging: { ...belonging, authenticity: label },
              culture_basis: 'measured',
              weighed: { more: [code], less: [code] },
              provisional: false,
              trait_priorities: { [code]: 1 },
              match_quality: 'strong',
              confidence_level: 'medium',
              values: null,
              culture: undefined,
            },
            { reader, has_agreed: true, is_detailed: false },
          );
          for (const text of [...words.top_strengths, ...words.growth_areas, words.summary_text]) {
            expect(text).toMatch(/^[A-Z][^\d]+\.$/);
            expect(text).not.toMatch(numberWords);
          }
        }
  });

  it('does not speak of energy, rest or recovery, which may tell an organisation about health', () => {
    const texts = Object.values(traitSentences).flatMap(({ strength, growth }) => [
      ...Object.values(strength),
      ...Object.values(growth),
    ]);
    for (const text of [...texts, ...Object.values(traitMeanings)])
      expect(text).not.toMatch(/\b(energy|rest|recover|recovers|exhaust\w*|tired|sick|health)\b/i);
  });

  it('depends only on the order of the traits, and in detail on who is far from the average, so that it reveals nothing more of how pronounced a trait is', () => {
    const job = { persistence: 1, discretion: 1 };
    const explainAs = (persistence: number, discretion: number) =>
      explainMatch(createMember({ persistence, discretion }), { job, computed: job }, undefined);
    const [some, more] = [explainAs(1, 0.9), explainAs(3, 2)];
    expect(more).toEqual({ ...some, standings: [{ ...some.standings[0]!, side: 'far_above' }] });
    expect(explainAs(4, 3)).toEqual(more);
  });

  it('lists strengths by their contribution to the match, and growth areas by their loss', () => {
    const job = { persistence: 1, discretion: 0.5, sincerity: 0.9, accountability: 0.2, autonomy_drive: 1 };
    const capable = createMember({ persistence: 1, discretion: 1.2, sincerity: 2, autonomy_drive: 0 });
    expect(explainMatch(capable, { job, computed: job }, undefined).strengths).toEqual([
      'sincerity',
      'persistence',
      'discretion',
    ]);
    const low = createMember({ persistence: -1, discretion: -2.5, sincerity: -2, accountability: -3 });
    expect(explainMatch(low, { job, computed: job }, undefined)).toMatchObject({
      strengths: [],
      growth: ['sincerity', 'discretion', 'persistence'],
      priorities: [
        { code: 'autonomy_drive', state: 'unclear' },
        { code: 'persistence', state: 'growth' },
      ],
    });
  });

  it('names what a policy changes in the fit, in the same words to both sides, and nothing without a policy', () => {
    const job = { persistence: 0.8, discretion: 0.7, sincerity: 0.6, autonomy_drive: 0.5 };
    const member = createMember({ persistence: 1, discretion: 1.1, sincerity: 1.2 });
    const multipliers = traitCodes.map((code) =>
      code === 'sincerity' ? 1.5 : code === 'discretion' ? 0.5 : 1,
    );
    const changed = explainMatch(member, { job, computed: multiply({ job, multipliers }) }, undefined);
    expect(changed.weighed).toEqual({ more: ['sincerity'], less: ['discretion'] });
    expect(changed.strengths).toEqual(['sincerity', 'persistence', 'discretion']);
    const labels = {
      match_quality: 'strong',
      confidence_level: 'low',
      trait_priorities: job,
      values: null,
      culture: undefined,
    } as const;
    const texts = readers.map(
      (reader) =>
        formatExplanation({ ...changed, ...labels }, { reader, has_agreed: true, is_detailed: false })
          .summary_text,
    );
    expect(texts[0]).toContain('This job asks most for persistence and discretion.');
    for (const text of texts) {
      expect(text).toContain(
        'Because of what became of earlier placements, sincerity counts more and discretion counts less in this match than the priorities that the organisation has set.',
      );
    }
    const plain = explainMatch(member, { job, computed: job }, undefined);
    expect(plain.weighed).toEqual({ more: [], less: [] });
    expect(
      formatExplanation({ ...plain, ...labels }, { reader: 'member', has_agreed: true, is_detailed: false })
        .summary_text,
    ).not.toContain('earlier placements');
  });

  it('tells an organisation nothing about the size of traits by the order that a policy gives them', () => {
    checkTexts((words, match, reader) => {
      if (reader === 'member') return;
      const before = explain({ ...match, multipliers: match.multipliers.map(() => 1) }, 'organisation');
      const kept = words.top_strengths.filter((sentence) => before.top_strengths.includes(sentence));
      expect(kept).toEqual(before.top_strengths.filter((sentence) => words.top_strengths.includes(sentence)));
    });
  });
});
