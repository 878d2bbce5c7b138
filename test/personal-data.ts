import type { MemberAccounts } from '#platform/personal-data.ts';

/** For holders of personal data that find their rows by the member alone. */
export const noAccounts: MemberAccounts = { user_ids: [], emails: [] };
