/** What an organisation has noted about a match for itself. */
export type PrivateNote = { readonly note: string | null; readonly labels: string[] };

/** Builds the reply about a match: what is stored, or nothing. */
export function completeNote(stored: PrivateNote | undefined): PrivateNote {
  return stored ?? { note: null, labels: [] };
}

/** Whether there is nothing to store. */
export function isEmptyNote({ note, labels }: PrivateNote): boolean {
  return note === null && labels.length === 0;
}

/** The longest label. */
export const label_characters_max = 40;
