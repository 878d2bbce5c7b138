import * as fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { traitCodes, type TraitCode } from '#modules/traits';
import { collectRows, readOccupations, readWorkStyles, type WorkStyleRating } from './onet-text.ts';
import { computeJobTemplates, type JobTemplate } from './template-priorities.ts';
import { workStyles } from './work-styles-crosswalk.ts';

const sample = new URL('../../../demo/onet-sample/', import.meta.url);
const published = new URL('../../../../../shared/data/onet/', import.meta.url);

async function templatesIn(folder: URL): Promise<readonly JobTemplate[]> {
  const text = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
  return computeJobTemplates(
    await collectRows(readOccupations(text('Occupation Data.txt'))),
    await collectRows(readWorkStyles(text('Work Styles.txt'))),
  );
}

function titled(templates: readonly JobTemplate[], title: string): JobTemplate {
  const template = templates.find((template) => template.title === title);
  if (template === undefined) throw new Error(`There is no ${title}.`);
  return template;
}

function priority(template: JobTemplate, code: TraitCode): number {
  return template.trait_priorities[code] ?? 0;
}

function strongest(template: JobTemplate, count: number): readonly string[] {
  return Object.entries(template.trait_priorities)
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([code]) => code);
}

function unsound(template: JobTemplate): boolean {
  const values = Object.values(template.trait_priorities);
  return (
    values.length === 0 || values.some((value) => !(value >= 0.1 && value <= 1) || !isTwoDecimals(value))
  );
}

function isTwoDecimals(value: number): boolean {
  return value === Math.round(value * 100) / 100;
}

function meanCorrelation(templates: readonly JobTemplate[]): number {
  const rows = templates.map((template) => standardise(traitCodes.map((code) => priority(template, code))));
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

function occupationsOf(count: number): { onet_code: string; title: string; description: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    onet_code: `99-200${index}.00`,
    title: `Job ${index}`,
    description: 'Work.',
  }));
}

function rated(
  onet_code: string,
  importances: readonly number[],
  standard_error?: number,
): WorkStyleRating[] {
  return workStyles.map((work_style, index) => {
    return { onet_code, work_style, importance: importances[index] ?? 3, standard_error, suppressed: false };
  });
}

describe('priorities of the sample occupations', () => {
  it('are sound, complete and ordered by code', async () => {
    const templates = await templatesIn(sample);
    expect(templates.map((template) => template.onet_code)).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => `99-100${number}.00`),
    );
    expect(templates.filter(unsound)).toEqual([]);
  });

  it('say what sets each occupation apart', async () => {
    const templates = await templatesIn(sample);
    expect(strongest(titled(templates, 'Neighbourhood Care Coordinators'), 1)).toEqual([
      'empathic_attunement',
    ]);
    expect(strongest(titled(templates, 'Data Platform Developers'), 2)).toContain('analytical_depth');
    expect(strongest(titled(templates, 'Night Dispatch Operators'), 1)).toEqual(['pressure_response']);
    expect(strongest(titled(templates, 'Community Fundraisers'), 3)).toContain('achievement_drive');
  });

  it('are the same on every import, in whatever order the rows come', async () => {
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
  it('are sound for any ratings: at least one trait, 0.10 to 1, two decimals, only known traits', () => {
    const importances = fc.array(fc.double({ min: 1, max: 5, noNaN: true }), {
      minLength: 16,
      maxLength: 16,
    });
    const error = fc.option(fc.double({ min: 0, max: 2, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.tuple(importances, error), { minLength: 1, maxLength: 6 }), (jobs) => {
        const occupations = occupationsOf(jobs.length);
        const ratings = jobs.flatMap(([values, error], index) =>
          rated(occupations[index]!.onet_code, values, error),
        );
        const templates = computeJobTemplates(occupations, ratings);
        expect(templates).toHaveLength(jobs.length);
        expect(templates.filter(unsound)).toEqual([]);
      }),
    );
  });

  it('lie nearer to the average the less certain a rating is', () => {
    const occupations = occupationsOf(3);
    const flat = Array.from({ length: 16 }, () => 3);
    const analytical = flat.with(workStyles.indexOf('Analytical Thinking'), 4.5);
    const priorityAt = (error: number): number => {
      const [peak, ...others] = occupations;
      const rest = others.flatMap((job, index) =>
        rated(
          job.onet_code,
          flat.map((value) => value + index / 4 - 0.1),
          0.1,
        ),
      );
      return priority(
        computeJobTemplates(occupations, [...rated(peak!.onet_code, analytical, error), ...rest])[0]!,
        'analytical_depth',
      );
    };
    expect(priorityAt(0.1)).toBeGreaterThan(priorityAt(1.5));
  });

  it('take no account of suppressed ratings, and leave out occupations without any', () => {
    const [first, second] = occupationsOf(2);
    const ratings = [...rated(first!.onet_code, [5]), ...rated(second!.onet_code, [1])];
    const without = ratings.filter((rating) => rating.onet_code !== second!.onet_code);
    const suppressed = ratings.map((rating) => ({
      ...rating,
      suppressed: rating.onet_code === second!.onet_code,
    }));
    expect(computeJobTemplates([first!, second!], suppressed)).toEqual(
      computeJobTemplates([first!], without),
    );
  });

  it('are refused where the two files do not belong together, or a style is rated twice', () => {
    const [job] = occupationsOf(1);
    expect(() => computeJobTemplates([job!], rated('99-9999.00', []))).toThrow('no occupation given');
    expect(() =>
      computeJobTemplates([job!], [...rated(job!.onet_code, []), ...rated(job!.onet_code, [])]),
    ).toThrow('two ratings');
  });

  it('are none for no ratings', () => {
    expect(computeJobTemplates(occupationsOf(2), [])).toEqual([]);
  });
});

describe.skipIf(!existsSync(published))(
  'the published O*NET files (skipped: ../shared/data/onet is absent)',
  () => {
    it('give sound priorities for more than 900 occupations', async () => {
      const templates = await templatesIn(published);
      expect(templates.length).toBeGreaterThan(900);
      expect(templates.filter(unsound)).toEqual([]);
    });

    it('say of well-known occupations what people would say', async () => {
      const templates = await templatesIn(published);
      const nurse = titled(templates, 'Registered Nurses');
      const developer = titled(templates, 'Software Developers, Applications');
      expect(priority(nurse, 'empathic_attunement')).toBeGreaterThan(
        priority(nurse, 'exploratory_curiosity'),
      );
      expect(priority(nurse, 'empathic_attunement')).toBeGreaterThan(
        priority(developer, 'empathic_attunement'),
      );
      expect(priority(developer, 'analytical_depth')).toBeGreaterThan(priority(nurse, 'analytical_depth'));
      expect(strongest(developer, 2)).toContain('analytical_depth');
      expect(strongest(titled(templates, 'Mathematicians'), 2)).toContain('analytical_depth');
      expect(strongest(titled(templates, 'Air Traffic Controllers'), 1)).toEqual(['pressure_response']);
      expect(strongest(titled(templates, 'Chief Executives'), 1)).toEqual(['social_initiative']);
      expect(strongest(titled(templates, 'Accountants'), 1)).toEqual(['structure_preference']);
    });

    it('tell occupations apart: two of them have next to nothing in common on average', async () => {
      const templates = await templatesIn(published);
      const some = templates.filter((_, index) => index % 5 === 0);
      expect(Math.abs(meanCorrelation(some))).toBeLessThan(0.3);
    });
  },
);
