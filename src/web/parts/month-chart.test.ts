import { expect, test } from 'vitest';
import { listMonths } from './month-chart.ts';

test('a chart of months ends with the latest, has no gaps, and shows a year or more', () => {
  expect(listMonths(['2026-03']).join(' ')).toBe(
    '2025-04 2025-05 2025-06 2025-07 2025-08 2025-09 2025-10 2025-11 2025-12 2026-01 2026-02 2026-03',
  );
  const long = listMonths(['2026-03', '2024-12']);
  expect([long.length, long[0], long.at(-1)]).toEqual([16, '2024-12', '2026-03']);
  const longer = listMonths(['2026-03', '2019-01', '2020-12']);
  expect([longer.length, longer[0], longer.at(-1)]).toEqual([24, '2024-04', '2026-03']);
});
