/** Columns that may be null in the database and never are where statements read them, each with the reason. A condition in the statement is better. */
export const neverNull: Readonly<Record<string, string>> = {
  'invitations.email': 'It is cleared when the invitation ends, and only open invitations are read.',
  'org_users.email':
    'A user of an organisation registers or is invited with an address. Only members have accounts without one.',
  'reads.aud_per_usd_micros':
    'A check of the table sets it with price_aud_micros, and only reads that have this are selected with it.',
  'reads.rate_at':
    'A check of the table sets it with price_aud_micros, and only reads that have this are selected with it.',
  'reads.shown_member_id':
    'A check of the table sets it with price_aud_micros, and only reads that have this are selected with it.',
};
