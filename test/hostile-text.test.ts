import { expect, test } from 'vitest';
import { additionalRows, specifiedRows } from '../src/tables/api.ts';
import { Refusal } from '#lib/refusal.ts';
import { findFieldLocation } from '#platform/http/row.ts';
import { buildInputReader, requireValid } from '#platform/http/input/validation.ts';
import { measureProcessorTime } from '#test/processor-time.ts';

/** The maximum length of a body. Patterns that backtrack take time in proportion to its square. */
const characters = 250_000;
const hostile = ['a', ' ', '\0', 'a@', 'a.', '1', '-', 'a\0', ' \n'].flatMap((piece) => {
  const long = piece.repeat(characters / piece.length);
  return [long, `${long}\0`, `${long}!`, `http://${long}`, `a@${long}`, `2026-01-01T${long}`];
});

const rows = [...specifiedRows, ...additionalRows].filter(
  (row) => findFieldLocation(row) === 'body' && Object.keys(row.operation.input.properties).length > 0,
);
const cases = rows.map((row) => [`${row.method} ${row.path}`, row] as const);

test.each(cases)('text of any length is checked quickly by %s', async (_, row) => {
  const input = row.operation.input;
  const read = buildInputReader(row, input);
  // The first reading compiles the schema.
  read({ params: {}, query: {}, body: {} });
  let slowest_ms = 0;
  for (const text of hostile) {
    const body = Object.fromEntries(Object.keys(input.properties).map((name) => [name, text]));
    const processor_ms = await measureProcessorTime(() =>
      expect(() => requireValid(read({ params: {}, query: {}, body }))).toThrow(Refusal),
    );
    slowest_ms = Math.max(slowest_ms, processor_ms);
  }
  expect(slowest_ms).toBeLessThan(250);
});
