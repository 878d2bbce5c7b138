import { expect, test } from 'vitest';
import { chooseLanguage, isLanguageCode } from './languages.ts';

test.each(['en', 'de', 'pt-BR', 'zh-Hant', 'gsw'])('%s is the code of a language', (code) => {
  expect(isLanguageCode(code)).toBe(true);
});

test.each(['', 'English', 'xx', 'qqq', 'de-at', 'DE', 'de_AT', 'pt-', 'en-x', '__proto__'])(
  '"%s" is no code of a language',
  (code) => {
    expect(isLanguageCode(code)).toBe(false);
  },
);

test('the language is the first preferred one that is offered, in any region, and otherwise the first offered', () => {
  const offered = ['en', 'de', 'pt-BR'];
  expect(chooseLanguage(['de'], offered)).toBe('de');
  expect(chooseLanguage(['de-AT'], offered)).toBe('de');
  expect(chooseLanguage(['pt'], offered)).toBe('pt-BR');
  expect(chooseLanguage(['PT-br'], offered)).toBe('pt-BR');
  expect(chooseLanguage(['fr', 'de'], offered)).toBe('de');
  expect(chooseLanguage(['fr'], offered)).toBe('en');
  expect(chooseLanguage([], offered)).toBe('en');
  expect(chooseLanguage(['fr'], [])).toBe('en');
});
