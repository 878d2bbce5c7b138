const letters = 'BCDFGHJKLMNPQRST';
const letters_max = 5;

/**
 * Names a person whom the organisation does not know yet: letters from the alias, which differs for every job. Letters, because a digit could
 * be read as a result.
 */
export function formatHandle(word: string, member_id: string): string {
  let handle = `${word} `;
  // The last group of a UUID has twelve digits.
  for (let place = member_id.length - letters_max; place < member_id.length; place++)
    handle += letters[Number.parseInt(member_id[place]!, 16)];
  return handle;
}
