import type { Reader, Transaction } from '#platform/database/database.ts';

/** Rows of one kind about a member, as JSON values and without secrets. */
export type PersonalDataRows = {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
};

/** A part of the service that stores personal data, and can export and erase it. */
export type PersonalDataHolder = {
  /** Returns everything that is stored about a member. */
  exportPersonalData(db: Reader, member_id: string): Promise<readonly PersonalDataRows[]>;
  /** Deletes all personal data of a member, or unlinks it where the record must stay. Absent if the data is computed and not stored. */
  erasePersonalData?(tx: Transaction, member_id: string, now: Date): Promise<void>;
};

/** The holders of personal data by module. An erasure runs them in this order. */
export type PersonalData = Readonly<Record<string, PersonalDataHolder>>;
