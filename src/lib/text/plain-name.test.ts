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
      expect(plain).not.toMatch(/\p{C}|\p{Zl}|\p{Zp}/u);
      expect(Array.from(plain).length).toBeLessThanOrEqual(160);
    }),
  );
});

test('leaves a harmless name unchanged', () => {
  for (const name of ['Harbour Health', 'Müller & Söhne', '株式会社', 'Acme Pty. Ltd.'])
    expect(toPlainName(name)).toBe(name);
});
