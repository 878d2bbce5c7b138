const shown_characters = 12;

/** Writes the number of a receipt: the end of the id of what it is about, in groups that can be read out. */
export function formatReceiptNumber(id: string): string {
  const end = id.replaceAll('-', '').slice(-shown_characters).toUpperCase();
  return end.replace(/(.{4})(?=.)/g, '$1-');
}
