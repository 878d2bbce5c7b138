import type { Reader, Transaction } from '#platform/database/database.ts';

/** Rows of one kind that are held about a member, as JSON can show them, without secrets. */
export type PersonalDataRows = {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
};

/** The users of a member: by them, a holder finds the rows about the member that have no `member_id`. */
export type MemberAccounts = { readonly user_ids: readonly string[]; readonly emails: readonly string[] };

/** What holds personal data: tells all of it, and can let go of it. */
export type PersonalDataHolder = {
  /** Everything that is held about a member. */
  exportPersonalData(
    db: Reader,
    member_id: string,
    accounts: MemberAccounts,
  ): Promise<readonly PersonalDataRows[]>;
  /** Deletes every personal datum of a member, or severs it where the record itself must stay. Absent where all is inferred and nothing kept. */
  erasePersonalData?(tx: Transaction, member_id: string, accounts: MemberAccounts): Promise<void>;
};

/** Who holds what, by module; erasure goes through them in this order. */
export type PersonalData = Readonly<Record<string, PersonalDataHolder>>;
