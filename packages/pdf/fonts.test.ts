import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openFont, splitByFont } from './fonts.ts';

test.each([
  ['Latin', 'Zoë Łukasz Nguyễn Đặng'],
  ['Greek', 'Ελένη Παπαδοπούλου'],
  ['Cyrillic', 'Наталія Їжакевич'],
  ['Hebrew', 'דוד כהן'],
  ['Arabic', 'محمد علي'],
  ['simplified Chinese', '王小明、张伟'],
  ['traditional Chinese', '陳怡君（臺灣）'],
  ['Japanese', '佐藤さくら・髙﨑エリ'],
  ['Korean', '김민준 박서연'],
  ['Devanagari', 'प्रिया शर्मा'],
  ['Thai', 'สมชาย ใจดี'],
])('a name in %s has a glyph for every character', (_, name) => {
  const { runs, replaced } = splitByFont(name);
  expect(replaced).toBe(false);
  expect(runs.map(({ text }) => text).join('')).toBe(name);
  for (const { font, text } of runs)
    for (const { id } of openFont(font).layout(text).glyphs) expect(id).not.toBe(0);
});

test.each(['😀', '🎉', '✅', '👩‍⚕️', '🇩🇪', '👍🏽', '❤️', '1️⃣', '🫨', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👨‍👩‍👧‍👦'])(
  'the emoji %s is one picture of the emoji font, between words of their own font',
  (emoji) => {
    expect(splitByFont(`Ada ${emoji} Lind`)).toEqual({
      runs: [
        { font: 'plain', text: 'Ada ' },
        { font: 'emoji', text: emoji },
        { font: 'plain', text: ' Lind' },
      ],
      replaced: false,
    });
    const { glyphs } = openFont('emoji').layout(emoji);
    expect(glyphs).toHaveLength(1);
    expect(glyphs[0]!.id).not.toBe(0);
  },
);

test('a character that no font has becomes �', () => {
  const runs = [
    { font: 'plain', text: 'a' },
    { font: 'wide', text: '�' },
    { font: 'plain', text: 'b' },
  ];
  expect(splitByFont('a𒀀b')).toEqual({ runs, replaced: true });
});

test('every text is split into runs that their fonts can lay out', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { runs } = splitByFont(text);
      expect(runs.map((run) => Array.from(run.text).length).reduce((sum, length) => sum + length, 0)).toBe(
        Array.from(text).length,
      );
      for (const { font, text: part } of runs) openFont(font).layout(part);
    }),
  );
});
