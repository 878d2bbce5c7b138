/** A table of a report: numbers are formatted as they are read. */
export type ReportTable = {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

/** A part of a report, in the order of the EFPA review model. */
export type ReportSection = {
  readonly heading: string;
  readonly sentences: readonly string[];
  readonly tables: readonly ReportTable[];
  /** What makes these figures again; null if nothing was computed. */
  readonly command: string | null;
  /** What is not known, and how it could be. */
  readonly missing: readonly string[];
};

/** The parts that a section need not have. */
export const empty = { sentences: [], tables: [], command: null, missing: [] } as const;

/** The technical report of a version of a bank. */
export type ReportDocument = {
  readonly title: string;
  readonly bank: string;
  readonly version: string;
  readonly created_at: string;
  readonly sections: readonly ReportSection[];
};

export const wordsOfReport = { made_by: 'Made by', missing: 'Missing' } as const;

/** Formats a number with two decimals, and a real minus, which zero does not have. */
export function formatFigure(value: number): string {
  const digits = value.toFixed(2);
  return Number(digits) === 0 ? '0.00' : digits.replace('-', '−');
}
