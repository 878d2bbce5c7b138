import { fullFormats } from 'ajv-formats/dist/formats.js';
import { check, type AttackPattern } from 'recheck';
import { expect, test } from 'vitest';
import { additionalRows, specifiedRows } from '../src/tables/api.ts';
import { findPatterns, findSchemaPatterns, findSourcePatterns, type Pattern } from './patterns.ts';
import { formatRowName } from './row-requests.ts';

const rows = [...specifiedRows, ...additionalRows];

/** Describes each pattern that is slower than linear, or that the checker cannot judge, with a text that shows it. */
async function findSlowPatterns(patterns: readonly Pattern[]): Promise<readonly string[]> {
  const distinct = new Map(patterns.map((each) => [`/${each.source}/${each.flags}`, each]));
  const verdicts = [...distinct].map(async ([text, { where, source, flags }]) => {
    const verdict = await check(replaceSetsOfStrings(source), flags.replace('v', 'u'), { timeout: 240_000 });
    if (verdict.status === 'safe') return [];
    if (verdict.status === 'unknown') return [`${where}: ${text} could not be judged: ${verdict.error.kind}`];
    const { attack, checker, complexity } = verdict;
    if (checker === 'fuzz' && !isSlow(new RegExp(source, flags), attack)) return [];
    return [`${where}: ${text} is ${complexity.summary}, for example with ${attack.pattern}`];
  });
  return (await Promise.all(verdicts)).flat();
}

/**
 * The checker does not know the properties of strings (ECMAScript 2024). Each stands for a finite set of short texts, so that one character in its
 * place has the same complexity.
 */
function replaceSetsOfStrings(source: string): string {
  return source.replaceAll(String.raw`\p{RGI_Emoji}`, String.raw`\p{Emoji}`);
}

const units_max = 1 << 18;
const slow_ms = 250;

/**
 * Confirms an attack that the checker guessed from short texts: it counts the steps of bounded repetitions and of look-aheads higher than the
 * engine does. A quadratic pattern exceeds the limit at about 16,000 characters; a linear one needs a few milliseconds for 262,144.
 */
function isSlow(expression: RegExp, { pumps, suffix }: AttackPattern): boolean {
  for (let units = 1 << 10; units <= units_max; units *= 2) {
    const pumped = pumps.map(
      ({ prefix, pump }) => prefix + pump.repeat(Math.ceil(units / pumps.length / pump.length)),
    );
    const started = process.threadCpuUsage();
    expression.lastIndex = 0;
    expression.test(pumped.join('') + suffix);
    const { user, system } = process.threadCpuUsage(started);
    if (user + system > slow_ms * 1_000) return true;
  }
  return false;
}

test('no regular expression of the source or of a schema is slower than linear', async () => {
  const { patterns, unreadable } = findSourcePatterns();
  const ofSchemas = rows.flatMap((row) =>
    findSchemaPatterns(formatRowName(row), [row.operation.input, row.operation.output]),
  );
  const formats = listFormats(rows.map(({ operation }) => [operation.input, operation.output]));
  expect(formats.map(({ where }) => where)).toContain('uuid');
  expect(patterns.length).toBeGreaterThan(100);
  expect(ofSchemas.length).toBeGreaterThan(20);
  expect(unreadable).toEqual([]);
  expect(await findSlowPatterns([...patterns, ...ofSchemas, ...formats])).toEqual([]);
}, 300_000);

/** Lists the regular expressions that `ajv-formats` uses for the formats in schemas; it checks times and dates with others of its own. */
function listFormats(schemas: unknown): readonly Pattern[] {
  const names = new Set(
    Array.from(JSON.stringify(schemas).matchAll(/"format":"([\w-]+)"/g), ([, name]) => name),
  );
  return Object.entries(fullFormats).flatMap(([where, format]) =>
    names.has(where) && format instanceof RegExp
      ? [{ where, source: format.source, flags: format.flags }]
      : [],
  );
}

test('a slow regular expression is found wherever it is written', async () => {
  const slow = String.raw`[\\s]+$`;
  const places = [
    'export const isLate = (text) => /\\s+$/.test(text);',
    `export const schema = { pattern: '${slow}' };`,
    `export const schema = patternText('${slow}', 'reason');`,
    `export const spacePattern = '[\\\\s]' + '+$';`,
    `export const expression = new RegExp('${slow}', 'g');`,
  ];
  for (const place of places) {
    const { patterns, unreadable } = findPatterns('src/lib/some-file.ts', place);
    expect([await findSlowPatterns(patterns), unreadable]).toEqual([
      [expect.stringMatching(/^src\/lib\/some-file\.ts:1: .* is 2nd degree polynomial/)],
      [],
    ]);
  }
  const built = findPatterns('src/lib/some-file.ts', '\nexport const build = (name) => new RegExp(name);');
  expect(built).toEqual({ patterns: [], unreadable: ['src/lib/some-file.ts:2'] });
});
