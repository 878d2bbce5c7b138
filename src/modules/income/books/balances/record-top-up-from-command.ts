import { OperatorError } from '#platform/command-line.ts';
import { microsFromNumber, type Micros } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Platform } from '#platform/platform.ts';
import { top_up_max } from './rules.ts';
import { fillBalance } from './record-top-up.ts';

/**
 * Records money for a prepaid balance on behalf of the operator.
 *
 * @throws OperatorError if the reference, the amount or the organisation is wrong, or the reference was recorded differently.
 */
export async function recordTopUpFromCommand(
  platform: Platform,
  { reference = '', amount: text = '', org }: Readonly<Record<string, string>>,
) {
  if (!/^[A-Za-z0-9][A-Za-z0-9./-]{2,39}$/.test(reference))
    throw new OperatorError(
      'the reference must be 3 to 40 letters, digits, dots, slashes or hyphens, the first a letter or digit',
    );
  if (org !== undefined && !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(org))
    throw new OperatorError(`${org} is not the id of an organisation`);
  const arrival = { reference: reference.toUpperCase(), amount: readAmount(text), org_id: org, actor: null };
  try {
    return await platform.database.transaction((tx) => fillBalance(platform, tx, arrival));
  } catch (error) {
    if (error instanceof Refusal) throw new OperatorError(describeRefusal(error, reference));
    throw error;
  }
}

function readAmount(text: string): Micros {
  if (!/^\d{1,7}(?:\.\d{1,6})?$/.test(text) || !(Number(text) >= 0.01 && Number(text) <= top_up_max))
    throw new OperatorError(`the amount must be 0.01 to ${top_up_max} US dollars with at most six decimals`);
  return microsFromNumber(Number(text));
}

function describeRefusal({ code, message }: Refusal, reference: string): string {
  if (code === 'field_invalid') return `nobody announced ${reference}: name the organisation with --org`;
  return code === 'top_up_recorded'
    ? `${reference} is the reference of another organisation, or was recorded with another amount`
    : message;
}
