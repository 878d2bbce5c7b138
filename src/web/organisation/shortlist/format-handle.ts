const letters = 'BCDFGHJKLMNPQRST';
const letters_max = 5;

/**
 * Names a person whom the organisation does not know yet: letters from the alias, which differs for every job. Letters, because a digit could
 * be read as a result.
 */
export function formatHandle(word: string, member_id: string): string {
  const digits = member_id.replaceAll('-', '').slice(-letters_max);
  return `${word} ${Array.from(digits, (digit) => letters[parseInt(digit, 16)]).join('')}`;
}
