import { expect, test } from 'vitest';
import { readOutsideValue } from './outside-values.ts';

test.each([
  ['email', ' U@Example.org \n', 'u@example.org'],
  ['email', 'u@münchen.example', 'u@xn--mnchen-3ya.example'],
  ['email', 'u@MÜNCHEN.example', 'u@xn--mnchen-3ya.example'],
  ['email', 'u@例え。example', 'u@xn--r8jz45g.example'],
  ['email', 'ü@a.example', 'ü@a.example'],
  ['email', '\u212Aate@a.example', '\u212Aate@a.example'],
  ['email', 'u@a.example/ü', 'u@a.example/ü'],
  ['email', 'u@１２７.1', 'u@127.0.0.1'],
  ['domain', ' Bücher.Example ', 'xn--bcher-kva.example'],
  ['time', '2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['time', '2017-01-01T08:59:60.5+09:00', '2017-01-01T00:00:00.000Z'],
  ['time', '2026-03-01T12:00:00+00:00', '2026-03-01T12:00:00.000Z'],
  ['time', '2026-03-01t12:00:00.25z', '2026-03-01T12:00:00.250Z'],
  ['time', '2026-03-01T22:00:00+10:00', '2026-03-01T12:00:00.000Z'],
  ['time', '2026-03-01T22:00:00+1000', '2026-03-01T12:00:00.000Z'],
  ['time', '2026-03-01 12:00:00.123456+00', '2026-03-01T12:00:00.123Z'],
  ['time', '2026-03-01T12:00:00', '2026-03-01T12:00:00'],
  ['time', '2026-03-01T12:00:00+25:00', '2026-03-01T12:00:00+25:00'],
  ['id', '0B5F3C1E-5F0A-4B86-9C1E-2F6F0F0D3A11', '0b5f3c1e-5f0a-4b86-9c1e-2f6f0f0d3a11'],
  ['id', 'MBR-4H8T2WNC', 'MBR-4H8T2WNC'],
  ['time', '2026-03-01T12:00:60Z', '2026-03-01T12:00:60Z'],
  ['time', '2026-04-31T12:00:00Z', '2026-04-31T12:00:00Z'],
  ['time', '2026-03-01', '2026-03-01'],
] as const)('a %s has one spelling: %s', (kind, text, read) => {
  expect(readOutsideValue(kind, text)).toBe(read);
});
