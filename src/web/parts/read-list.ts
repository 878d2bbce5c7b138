/** Reads a list that was typed into one field, separated by commas, semicolons or line breaks. */
export function readList(text: string): readonly string[] {
  const parts = text.split(/[,;\n]/).map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ''))];
}
