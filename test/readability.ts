/**
 * Computes the reading grade of an English text by Flesch and Kincaid (Kincaid and others 1975, Navy Research Branch Report 8-75):
 * 0.39 words per sentence + 11.8 syllables per word - 15.59. A grade of 6 can be read after six years of school.
 */
export function computeReadingGrade(text: string): number {
  const words = text.match(/[A-Za-z’]+/g) ?? [];
  const sentences = Math.max(1, text.match(/[.?!]/g)?.length ?? 0);
  const syllables = words.reduce((sum, word) => sum + countSyllables(word), 0);
  return (0.39 * words.length) / sentences + (11.8 * syllables) / words.length - 15.59;
}

/** Counts the groups of vowels of an English word, less a silent e at its end. */
export function countSyllables(word: string): number {
  const letters = word.toLowerCase().replaceAll(/[^a-z]/g, '');
  const groups = letters.match(/[aeiouy]+/g)?.length ?? 0;
  return Math.max(1, groups - (silentEnding.test(letters) ? 1 : 0));
}

/** `-e` after a consonant but not `-le`, `-ed` but not after t or d, and `-es` but not after a hissing sound or l. */
const silentEnding = /[^aeiouyl]e$|[aeiouy]le$|[^aeiouytd]ed$|[^aeiouylscgzxh]es$/;
