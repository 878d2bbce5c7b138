/** Removes Unicode direction overrides (UAX #9), with which a text could change how the text around it reads. */
export function removeDirectionOverrides(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g, '');
}
