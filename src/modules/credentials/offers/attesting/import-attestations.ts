import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { createFaultsRefusal, type TableFault } from '#lib/read-table.ts';
import { isUuid } from '#lib/text/is-uuid.ts';
import { listNamedAchievements, type Achievement } from '#modules/credentials/achievements';
import { checkVerifiedAdmin } from '#modules/matching/matches';
import type { Reader, Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { attestPerson, type Attestation } from './attest-person.ts';
import { checkRow } from './check-row.ts';
import { checkStanding } from './check-standing.ts';
import { readRows, type AttestationRow, type Column } from './read-rows.ts';

const sample = 'match_id,achievement\ne8a3b7d2-0f4c-4e19-9b58-6c1d2f3a7e40,Field team lead\n';

export const importAttestations = operation({
  name: 'offers.importAttestations',
  title: 'Offer credentials to several people',
  summary:
    'Offers credentials to the people in a table, as POST /orgs/me/credentials does to one: at most 500 rows of CSV with the columns match_id or member_id, and credential_type, achievement (its name or id), statement, job_title and expiry_days, as needed; a column person is for those who fill it in, and is not read. All faults are replied with their line and column, and nothing is offered then.',
  who: ['org_admin'],
  input: Type.Object({
    csv: field(Type.String({ minLength: 1, maxLength: 200_000 }), 'The table, its header first.', sample),
  }),
  output: {
    201: closedObject({
      offered: field(Type.Integer({ minimum: 1 }), 'How many people were offered a credential.', 1),
    }),
  },
  location: () => '/orgs/me/credentials',
  refuses: [
    'email_not_verified',
    'offer_limit_reached',
    'organisation_not_found',
    'proven_domain_required',
    'table_faulty',
  ],
  idempotent: true,
  run: async (context, { csv }) => {
    await checkVerifiedAdmin(context);
    const { rows, faults } = readRows(csv);
    return context.transaction(async (tx) => {
      await checkStanding(context, tx, rows.length);
      const achievements = await findAchievements(tx, context.caller.org_id, rows);
      const all = [...faults];
      for (const row of rows) all.push(...(await attestRow(context, tx, row, achievements)));
      if (all.length > 0) throw createFaultsRefusal(all, 'offered');
      return { offered: rows.length };
    });
  },
});

/** The achievements that the rows name, by their names and their ids. */
async function findAchievements(
  db: Reader,
  org_id: string,
  rows: readonly AttestationRow[],
): Promise<ReadonlyMap<string, Achievement>> {
  const names = [...new Set(rows.flatMap(({ cells }) => cells.achievement ?? []))];
  const found = await listNamedAchievements(db, org_id, { ids: names.filter(isUuid), names });
  return new Map(found.flatMap((each) => [[each.name, each] as const, [each.id, each] as const]));
}

/** Offers what a row says. @returns what is wrong with it; the transaction must not commit then. */
async function attestRow(
  context: Context<'org_admin'>,
  tx: Transaction,
  row: AttestationRow,
  achievements: ReadonlyMap<string, Achievement>,
): Promise<readonly TableFault[]> {
  const { attestation, faults } = checkRow(row, achievements);
  if (!attestation) return faults;
  try {
    await attestPerson(context, tx, attestation);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [{ line: row.line, column: selectColumn(error, attestation), reason: error.message }];
  }
}

/** The column that a refusal is about. */
function selectColumn({ code }: Refusal, { match_id, achievement }: Attestation): Column {
  if (code === 'outcome_conflict') return 'credential_type';
  if (code === 'credential_offer_exists' && achievement) return 'achievement';
  return match_id === undefined ? 'member_id' : 'match_id';
}
