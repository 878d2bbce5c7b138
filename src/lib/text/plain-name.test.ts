import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toPlainName } from './plain-name.ts';

test('makes any name one short line without anything that a mail program would turn into a link', () => {
  const hostile = fc.constantFrom(
    'https://',
    'www.',
    'evil.example',
    'a@b.c',
    '\r\n',
    '\u2028',
    '\u200B',
    '\u3002',
    'x',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(hostile, fc.string({ unit: 'binary' }))), (parts) => {
      const plain = toPlainName(parts.join(''));
      expect(plain).not.toMatch(/[.:/@\u3002\uFF0E\uFF61]\S/u);
      expect(plain).not.toMatch(/(?![\u200C\u200D])\p{C}|\p{Zl}|\p{Zp}|[\u200C\u200D]{2}/u);
      expect(Array.from(plain).length).toBeLessThanOrEqual(160);
    }),
  );
});

test('leaves a harmless name unchanged', () => {
  for (const name of ['Harbour Health', 'Müller & Söhne', '株式会社', 'Acme Pty. Ltd.'])
    expect(toPlainName(name)).toBe(name);
});

test('shows no name that nobody can see, and stacks no more than four marks', () => {
  const filler = '\u3164\u2800\u115F\uFFA0\u17B4\u034F\uFE0F';
  expect(toPlainName(` ${filler}\u200B `)).toBe('');
  expect(toPlainName(`A${filler}da`)).toBe('Ada');
  expect(toPlainName(`Z\u0301${'\u0300'.repeat(60)}a`)).toBe('Z\u0301\u0300\u0300\u0300a');
  for (const name of ['علی‌رضا', 'ක්‍ෂමා', 'അവന്‍', '👩‍⚕️ Ada', '🧑🏽‍🚒', 'क्‍ष']) expect(toPlainName(name)).toBe(name);
  expect(toPlainName('A\u200Dda \u200Calı\u200C\u200D')).toBe('Ada alı');
  for (const name of ['Tiếng Việt', 'नमस्ते', 'עִבְרִית', 'ไทยที่', 'e\u0301']) expect(toPlainName(name)).toBe(name);
});
