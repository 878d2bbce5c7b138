import { isUuid } from '#lib/text/is-uuid.ts';
import type { TableFault } from '#lib/read-table.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Achievement } from '#modules/credentials/achievements';
import { expiry_days_max } from '#modules/credentials/credentials';
import { attestedTypes } from '../rules.ts';
import { checkContent, type Attestation } from './attest-person.ts';
import type { AttestationRow, Column } from './read-rows.ts';

/** A row that says something possible, or what is wrong with it. */
export type CheckedRow =
  | { readonly attestation: Attestation; readonly faults?: undefined }
  | { readonly attestation?: undefined; readonly faults: readonly TableFault[] };

const lengths_max: Readonly<Partial<Record<Column, number>>> = { statement: 500, job_title: 200 };

/** Checks what a row says by itself. Achievements are found by their name or their id. */
export function checkRow(
  { line, cells }: AttestationRow,
  achievements: ReadonlyMap<string, Achievement>,
): CheckedRow {
  const faults: TableFault[] = [];
  const addFault = (column: Column, reason: string) => void faults.push({ line, column, reason });
  const { match_id, member_id, achievement: named, statement, job_title } = cells;
  if ((match_id === undefined) === (member_id === undefined))
    addFault('match_id', 'or member_id must be filled in, and not both');
  for (const column of ['match_id', 'member_id'] as const)
    if (cells[column] !== undefined && !isUuid(cells[column])) addFault(column, 'must be an id');
  const credential_type = attestedTypes.find((type) => type === (cells.credential_type ?? 'org_validation'));
  if (!credential_type) addFault('credential_type', `must be ${attestedTypes.join(' or ')}`);
  const achievement = named === undefined ? undefined : achievements.get(named);
  if (named !== undefined && !achievement)
    addFault('achievement', 'is not an achievement of the organisation');
  for (const [column, length_max] of Object.entries(lengths_max) as [Column, number][])
    if ((cells[column]?.length ?? 0) > length_max)
      addFault(column, `must have at most ${length_max} characters`);
  const expiry_days = cells.expiry_days === undefined ? undefined : Number(cells.expiry_days);
  if (expiry_days !== undefined && !isDays(expiry_days))
    addFault('expiry_days', `must be a whole number from 1 to ${expiry_days_max}`);
  if (!credential_type) return { faults };
  const claims = {
    ...(statement !== undefined && { statement }),
    ...(job_title !== undefined && { job_title }),
  };
  faults.push(...findContentFaults(line, { credential_type, achievement_id: named, claims }));
  if (faults.length > 0) return { faults };
  return { attestation: { match_id, member_id, credential_type, achievement, claims, expiry_days } };
}

function isDays(days: number): boolean {
  return Number.isSafeInteger(days) && days >= 1 && days <= expiry_days_max;
}

function findContentFaults(line: number, content: Parameters<typeof checkContent>[0]): readonly TableFault[] {
  try {
    checkContent(content);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return (error.extras.errors ?? []).map(({ pointer, reason }) => ({
      line,
      column: columnsOfFields[pointer] ?? 'credential_type',
      reason,
    }));
  }
}

const columnsOfFields: Readonly<Record<string, Column>> = {
  '/achievement_id': 'achievement',
  '/claims': 'statement',
  '/claims/statement': 'statement',
};
