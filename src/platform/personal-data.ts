import type { Reader, Transaction } from '#platform/database/database.ts';

/** Rows of one kind about a member, as JSON values and without secrets. */
export type PersonalDataRows = {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
};

/** The users of a member. By them, a holder finds the rows about the member that have no `member_id`. */
export type MemberAccounts = {
  readonly user_ids: readonly string[];
  /** In the same order; null for a user without an address. */
  readonly emails: readonly (string | null)[];
};

/** A part of the service that stores personal data, and can export and erase it. */
export type PersonalDataHolder = {
  /** Returns everything that is stored about a member. */
  exportPersonalData(
    db: Reader,
    member_id: string,
    accounts: MemberAccounts,
  ): Promise<readonly PersonalDataRows[]>;
  /** Deletes all personal data of a member, or unlinks it where the record must stay. */
  erasePersonalData(tx: Transaction, member_id: string, accounts: MemberAccounts): Promise<void>;
};

/** The holders of personal data by module. An erasure runs them in this order. */
export type PersonalData = Readonly<Record<string, PersonalDataHolder>>;

type ListRows = (
  db: Reader,
  member_id: string,
  accounts: MemberAccounts,
) => Promise<PersonalDataRows['rows']>;

/**
 * Defines what a module holds about members: for each table the function that lists the rows about a member, and the function that erases all of
 * them, unless they are computed and not stored.
 */
export function definePersonalData(
  tables: Readonly<Record<string, ListRows>>,
  erasePersonalData: PersonalDataHolder['erasePersonalData'] = async () => undefined,
): PersonalDataHolder {
  return {
    exportPersonalData: async (db, member_id, accounts) => {
      const sections: PersonalDataRows[] = [];
      for (const [name, listRows] of Object.entries(tables))
        sections.push({ name, rows: await listRows(db, member_id, accounts) });
      return sections;
    },
    erasePersonalData,
  };
}
