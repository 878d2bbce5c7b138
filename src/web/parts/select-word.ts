/** Selects the word for a place from 0 to 1: the first one for 0 only, and the others for equal parts of the rest. `console.js` does the same. */
export function selectWord(words: readonly string[], place: number): string {
  const last = words.length - 1;
  return words[Math.min(last, Math.max(0, Math.ceil(place * last)))] ?? '';
}
