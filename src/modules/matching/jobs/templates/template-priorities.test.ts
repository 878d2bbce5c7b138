import { existsSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraitCode } from '#modules/measurement/traits';
import { collectRows, readOccupations, readWorkStyles, type WorkStyleRating } from './onet-text.ts';
import { computeJobTemplates, type JobTemplate } from './template-priorities.ts';
import { workStyleLayouts, type WorkStyleScale } from './work-styles-crosswalk.ts';

const sample = new URL('../../../../demo/onet-sample/', import.meta.url);
const published = new URL('../../../../../../shared/data/onet/', import.meta.url);

async function readTemplates(folder: URL): Promise<readonly JobTemplate[]> {
  const text = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
  return computeJobTemplates(
    await collectRows(readOccupations(text('Occupation Data.txt'))),
    await collectRows(readWorkStyles(text('Work Styles.txt'))),
  );
}

function findTemplate(templates: readonly JobTemplate[], title: string): JobTemplate {
  const template = templates.find((template) => template.title === title);
  if (template === undefined) throw new Error(`no template has the title ${title}`);
  return template;
}

function getPriority(template: JobTemplate, code: TraitCode): number {
  return template.trait_priorities[code] ?? 0;
}

function listStrongestTraits(template: JobTemplate, count: number): readonly string[] {
  return Object.entries(template.trait_priorities)
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([code]) => code);
}

function isInvalid(template: JobTemplate): boolean {
  const values = Object.values(template.trait_priorities);
  return (
    values.length === 0 || values.some((value) => !(value >= 0.1 && value <= 1) || !isTwoDecimals(value))
  );
}

function isTwoDecimals(value: number): boolean {
  return value === Math.round(value * 100) / 100;
}

function standardise(values: readonly number[]): readonly number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const length = Math.hypot(...values.map((value) => value - mean));
  return values.map((value) => (value - mean) / length);
}

function createOccupations(count: number): { onet_code: string; title: string; description: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    onet_code: `99-200${index}.00`,
    title: `Job ${index}`,
    description: 'Work.',
  }));
}

const workStyles = [...workStyleLayouts.IM.crosswalk.keys()];

function createRatings(
  onet_code: string,
  importances: readonly number[],
  standard_error?: number,
): WorkStyleRating[] {
  return workStyles.map((work_style, index) => {
    const rating = importances[index] ?? 3;
    return { onet_code, scale: 'IM', work_style, rating, standard_error, suppressed: false };
  });
}

/** Ratings of all styles of a scale: those that are named, and another number for the rest. */
function createStyleRatings(
  onet_code: string,
  scale: WorkStyleScale,
  named: Readonly<Record<string, number>>,
  rest: number,
  standard_error?: number,
): WorkStyleRating[] {
  return [...workStyleLayouts[scale].crosswalk.keys()].map((work_style) => {
    const rating = named[work_style] ?? rest;
    return { onet_code, scale, work_style, rating, standard_error, suppressed: false };
  });
}

/** Three occupations that differ from each other, to compare a fourth with. */
function createOtherRatings(scale: WorkStyleScale, [low, middle, high]: readonly [number, number, number]) {
  const [, ...others] = createOccupations(4);
  return others.flatMap(({ onet_code }, index) =>
    createStyleRatings(
      onet_code,
      scale,
      {
        'Attention to Detail': [high, low, middle][index]!,
        'Social Orientation': [low, middle, high][index]!,
      },
      [low, middle, high][index]!,
      scale === 'IM' ? 0.1 : undefined,
    ),
  );
}

describe('priorities of the sample occupations', () => {
  it('are valid, complete and ordered by code', async () => {
    const templates = await readTemplates(sample);
    expect(templates.map((template) => template.onet_code)).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => `99-100${number}.00`),
    );
    expect(templates.filter(isInvalid)).toEqual([]);
  });

  it('show what distinguishes each occupation', async () => {
    const templates = await readTemplates(sample);
    expect(listStrongestTraits(findTemplate(templates, 'Neighbourhood Care Coordinators'), 3)).toContain(
      'empathic_attunement',
    );
    expect(listStrongestTraits(findTemplate(templates, 'Data Platform Developers'), 2)).toContain(
      'analytical_depth',
    );
    expect(listStrongestTraits(findTemplate(templates, 'Night Dispatch Operators'), 1)).toEqual([
      'pressure_response',
    ]);
    expect(listStrongestTraits(findTemplate(templates, 'Community Fundraisers'), 3)).toContain(
      'achievement_drive',
    );
  });

  it('are the same on every import, regardless of the order of rows', async () => {
    const text = readFileSync(new URL('Work Styles.txt', sample), 'utf8');
    const occupations = await collectRows(
      readOccupations(readFileSync(new URL('Occupation Data.txt', sample), 'utf8')),
    );
    const ratings = await collectRows(readWorkStyles(text));
    expect(computeJobTemplates(occupations.toReversed(), ratings.toReversed())).toEqual(
      computeJobTemplates(occupations, ratings),
    );
  });
});

describe.each([
  ['IM', [2.5, 3.5, 4.2], 4.9],
  ['WI', [-0.5, 1, 1.8], 2.9],
] as const)('priorities from the scale %s', (scale, spread, high) => {
  const [occupation] = createOccupations(1);
  const computeFirst = (ratings: readonly WorkStyleRating[]): JobTemplate =>
    computeJobTemplates(createOccupations(4), [...ratings, ...createOtherRatings(scale, spread)])[0]!;
  const createFirstRatings = (named: Readonly<Record<string, number>>, rest: number, error?: number) =>
    createStyleRatings(occupation!.onet_code, scale, named, rest, error);

  it('keep the absolute demand: a job that asks for more of everything has higher priorities', () => {
    const named = { 'Stress Tolerance': high };
    const [more, less] = [
      computeFirst(createFirstRatings(named, spread[2])),
      computeFirst(createFirstRatings(named, spread[0])),
    ];
    for (const code of Object.keys(less.trait_priorities) as TraitCode[])
      expect(getPriority(more, code)).toBeGreaterThanOrEqual(getPriority(less, code));
    expect(getPriority(more, 'accountability')).toBeGreaterThan(getPriority(less, 'accountability') + 0.2);
  });

  it('show a high demand even if the job asks for much of everything', () => {
    const template = computeFirst(
      createFirstRatings({ 'Stress Tolerance': high, 'Self Control': high }, spread[2], 0.1),
    );
    expect(getPriority(template, 'pressure_response')).toBeGreaterThan(0.5);
  });
});

describe('priorities from impacts', () => {
  it('are zero for a trait that is irrelevant or detrimental to the work', () => {
    const [first] = createOccupations(1);
    const ratings = createStyleRatings(
      first!.onet_code,
      'WI',
      { 'Social Orientation': -1.2, 'Leadership Orientation': -0.8 },
      1.5,
    );
    const all = [...ratings, ...createOtherRatings('WI', [-3, -2.5, -2])];
    const template = computeJobTemplates(createOccupations(4), all)[0]!;
    expect(getPriority(template, 'social_initiative')).toBe(0);
    expect(getPriority(template, 'accountability')).toBeGreaterThan(0.5);
  });
});

describe('priorities', () => {
  it('are flat if the evidence is weak', () => {
    const named = { 'Stress Tolerance': 4.9, 'Attention to Detail': 2 };
    const measureSpread = (error: number) => {
      const { trait_priorities } = computeJobTemplates(createOccupations(4), [
        ...createStyleRatings('99-2000.00', 'IM', named, 3.5, error),
        ...createOtherRatings('IM', [2.5, 3.5, 4.2]),
      ])[0]!;
      return (trait_priorities.pressure_response ?? 0) - (trait_priorities.structure_preference ?? 0);
    };
    expect(measureSpread(0.05)).toBeGreaterThan(0.5);
    expect(Math.abs(measureSpread(4))).toBeLessThan(0.2);
  });

  it('are valid for any ratings: at least one trait, from 0.10 to 1, with two decimals', () => {
    const importances = fc.array(fc.double({ min: 1, max: 5, noNaN: true }), {
      minLength: 16,
      maxLength: 16,
    });
    const error = fc.option(fc.double({ min: 0, max: 2, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.tuple(importances, error), { minLength: 1, maxLength: 6 }), (jobs) => {
        const occupations = createOccupations(jobs.length);
        const ratings = jobs.flatMap(([values, error], index) =>
          createRatings(occupations[index]!.onet_code, values, error),
        );
        const templates = computeJobTemplates(occupations, ratings);
        expect(templates).toHaveLength(jobs.length);
        expect(templates.filter(isInvalid)).toEqual([]);
      }),
    );
  });

  it('are closer to the average the less certain a rating is', () => {
    const occupations = createOccupations(3);
    const flat = Array.from({ length: 16 }, () => 3);
    const analytical = flat.with(workStyles.indexOf('Analytical Thinking'), 4.5);
    const computePriority = (error: number): number => {
      const [peak, ...others] = occupations;
      const rest = others.flatMap((job, index) =>
        createRatings(
          job.onet_code,
          flat.map((value) => value + index / 4 - 0.1),
          0.1,
        ),
      );
      return getPriority(
        computeJobTemplates(occupations, [...createRatings(peak!.onet_code, analytical, error), ...rest])[0]!,
        'analytical_depth',
      );
    };
    expect(computePriority(0.1)).toBeGreaterThan(computePriority(1.5));
  });

  it('ignore suppressed ratings and leave out occupations without other ratings', () => {
    const [first, second] = createOccupations(2);
    const ratings = [...createRatings(first!.onet_code, [5]), ...createRatings(second!.onet_code, [1])];
    const without = ratings.filter((rating) => rating.onet_code !== second!.onet_code);
    const suppressed = ratings.map((rating) => ({
      ...rating,
      suppressed: rating.onet_code === second!.onet_code,
    }));
    expect(computeJobTemplates([first!, second!], suppressed)).toEqual(
      computeJobTemplates([first!], without),
    );
  });

  it('cannot be computed from ratings on different scales', () => {
    const [first, second] = createOccupations(2);
    const mixed = [
      ...createStyleRatings(first!.onet_code, 'IM', {}, 3),
      ...createStyleRatings(second!.onet_code, 'WI', {}, 1),
    ];
    expect(() => computeJobTemplates([first!, second!], mixed)).toThrow('different scales');
  });

  it('cannot be computed if the two files do not belong together or a style is rated twice', () => {
    const [job] = createOccupations(1);
    expect(() => computeJobTemplates([job!], createRatings('99-9999.00', []))).toThrow(
      'not among the occupations',
    );
    expect(() =>
      computeJobTemplates(
        [job!],
        [...createRatings(job!.onet_code, []), ...createRatings(job!.onet_code, [])],
      ),
    ).toThrow('two ratings');
  });

  it('do not exist without ratings', () => {
    expect(computeJobTemplates(createOccupations(2), [])).toEqual([]);
  });
});

describe.skipIf(!existsSync(published))(
  'the published O*NET files (skipped: ../shared/data/onet is absent)',
  () => {
    it('give valid priorities for more than 900 occupations', async () => {
      const templates = await readTemplates(published);
      expect(templates.length).toBeGreaterThan(900);
      expect(templates.filter(isInvalid)).toEqual([]);
    });

    it('give plausible priorities for well-known occupations', async () => {
      const templates = await readTemplates(published);
      const nurse = findTemplate(templates, 'Registered Nurses');
      const developer = findTemplate(templates, 'Software Developers, Applications');
      expect(getPriority(nurse, 'empathic_attunement')).toBeGreaterThan(
        getPriority(nurse, 'exploratory_curiosity'),
      );
      expect(getPriority(nurse, 'empathic_attunement')).toBeGreaterThan(
        getPriority(developer, 'empathic_attunement'),
      );
      expect(getPriority(developer, 'analytical_depth')).toBeGreaterThan(
        getPriority(nurse, 'analytical_depth'),
      );
      expect(listStrongestTraits(developer, 2)).toContain('analytical_depth');
      expect(listStrongestTraits(findTemplate(templates, 'Mathematicians'), 2)).toContain('analytical_depth');
      expect(listStrongestTraits(findTemplate(templates, 'Air Traffic Controllers'), 2)).toContain(
        'pressure_response',
      );
      expect(listStrongestTraits(findTemplate(templates, 'Chief Executives'), 6)).toContain(
        'social_initiative',
      );
      expect(listStrongestTraits(findTemplate(templates, 'Accountants'), 1)).toEqual([
        'structure_preference',
      ]);
    });

    it('show the stress tolerance of surgeons, and do not begin with the empathy of janitors', async () => {
      const templates = await readTemplates(published);
      const surgeon = findTemplate(templates, 'Surgeons');
      expect(getPriority(surgeon, 'pressure_response')).toBeGreaterThan(0.7);
      expect(listStrongestTraits(surgeon, 4)).toContain('pressure_response');
      const janitor = findTemplate(
        templates,
        'Janitors and Cleaners, Except Maids and Housekeeping Cleaners',
      );
      expect(listStrongestTraits(janitor, 2)).not.toContain('empathic_attunement');
    });

    it('keep the absolute demand: their mean follows the mean importance of the work styles', async () => {
      const text = readFileSync(new URL('Work Styles.txt', published), 'utf8');
      const ratings = await collectRows(readWorkStyles(text));
      const sums = new Map<string, number>();
      for (const { onet_code, rating } of ratings) sums.set(onet_code, (sums.get(onet_code) ?? 0) + rating);
      const templates = await readTemplates(published);
      const importance = templates.map(({ onet_code }) => sums.get(onet_code)!);
      const demand = templates.map((template) =>
        Object.values(template.trait_priorities).reduce((sum, priority) => sum + priority, 0),
      );
      const [one, other] = [standardise(importance), standardise(demand)];
      expect(one.reduce((sum, value, index) => sum + value * other[index]!, 0)).toBeGreaterThan(0.8);
    });
  },
);
