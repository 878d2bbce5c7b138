import { existsSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traitCodes, type TraitCode } from '#modules/traits';
import { collectRows, readOccupations, readWorkStyles, type WorkStyleRating } from './onet-text.ts';
import { computeJobTemplates, type JobTemplate } from './template-priorities.ts';
import { workStyles } from './work-styles-crosswalk.ts';

const sample = new URL('../../../demo/onet-sample/', import.meta.url);
const published = new URL('../../../../../shared/data/onet/', import.meta.url);

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

function computeMeanCorrelation(templates: readonly JobTemplate[]): number {
  const rows = templates.map((template) =>
    standardise(traitCodes.map((code) => getPriority(template, code))),
  );
  let sum = 0;
  let pairs = 0;
  for (const [first, a] of rows.entries()) {
    for (const b of rows.slice(first + 1)) {
      sum += a.reduce((product, value, index) => product + value * b[index]!, 0);
      pairs += 1;
    }
  }
  return sum / pairs;
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

function createRatings(
  onet_code: string,
  importances: readonly number[],
  standard_error?: number,
): WorkStyleRating[] {
  return workStyles.map((work_style, index) => {
    return { onet_code, work_style, importance: importances[index] ?? 3, standard_error, suppressed: false };
  });
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
    expect(listStrongestTraits(findTemplate(templates, 'Neighbourhood Care Coordinators'), 1)).toEqual([
      'empathic_attunement',
    ]);
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

describe('priorities', () => {
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
      expect(listStrongestTraits(findTemplate(templates, 'Air Traffic Controllers'), 1)).toEqual([
        'pressure_response',
      ]);
      expect(listStrongestTraits(findTemplate(templates, 'Chief Executives'), 1)).toEqual([
        'social_initiative',
      ]);
      expect(listStrongestTraits(findTemplate(templates, 'Accountants'), 1)).toEqual([
        'structure_preference',
      ]);
    });

    it('distinguish occupations: two of them hardly correlate on average', async () => {
      const templates = await readTemplates(published);
      const some = templates.filter((_, index) => index % 5 === 0);
      expect(Math.abs(computeMeanCorrelation(some))).toBeLessThan(0.3);
    });
  },
);
