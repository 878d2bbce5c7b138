import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeNameSkeleton, hasMixedWord, listReadWords } from './look-alikes.ts';

test.each([
  ['HARBOUR health'],
  ['Harbour-Health'],
  ['  Hárböur   Heälth. '],
  ['Ｈａｒｂｏｕｒ Ｈｅａｌｔｈ'],
  ['𝐇𝐚𝐫𝐛𝐨𝐮𝐫 𝓗𝓮𝓪𝓵𝓽𝓱'],
  ['🅗🅐🅡🅑🅞🅤🅡 🅷🅴🅰🅻🆃🅷'],
  ['Har\u00adbour\u200b Hea\u2060lth'],
  ['Hаrbоur Hеаlth'],
  ['Hɑrbοur Heɑlth'],
  ['ʜᴀʀʙᴏᴜʀ ʜᴇᴀʟᴛʜ'],
  ['Harb0ur Hea1th'],
  ['Harbour Heaith'],
])('%j reads like Harbour Health', (name) => {
  expect(computeNameSkeleton(name)).toBe(computeNameSkeleton('Harbour Health'));
});

test.each(['Harbour Hearth', 'Harbour', 'Harbour Health 2', 'Hafen Gesundheit', '株式会社', 'ЗАО Восток'])(
  '%j does not read like Harbour Health',
  (name) => {
    expect(computeNameSkeleton(name)).not.toBe(computeNameSkeleton('Harbour Health'));
  },
);

test('names of other scripts keep their letters, and a name without letters has no skeleton', () => {
  expect(computeNameSkeleton('株式会社')).toBe('株式会社');
  expect(computeNameSkeleton('🚢 — !')).toBe('');
  expect(listReadWords('HarbourHealth (Pty) Ltd.')).toEqual(['harbour', 'health', 'pty', 'ltd']);
});

test('a word is mixed with letters of two alphabets that look alike, and with no others', () => {
  for (const name of ['Hаrbour', 'Harbour Ηealth', 'ТеssеrаX', 'Ꭲessera'])
    expect(hasMixedWord(name)).toBe(true);
  for (const name of [
    'Müller & Söhne',
    'Восток Harbour',
    'ソニー株式会社 Sony',
    'نور Health',
    'Ω Systems',
    'Zoë',
    'A1',
  ])
    expect([name, hasMixedWord(name)]).toEqual([name, false]);
});

test('a skeleton of ASCII is the same as that of the migration, with any signs around the letters', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      const migrated = name
        .replace(/[^A-Za-z0-9]/g, '')
        .toLowerCase()
        .replaceAll('i', 'l')
        .replaceAll('0', 'o')
        .replaceAll('1', 'l')
        .replaceAll('rn', 'm')
        .replaceAll('vv', 'w');
      expect(computeNameSkeleton(name)).toBe(migrated);
    }),
  );
});
