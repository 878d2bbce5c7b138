import { Refusal } from '#lib/refusal.ts';

/**
 * Puts all faults of a table beside its field, one in a line: a page has one reason for each field.
 *
 * @param pointer The field of the form that has the table.
 */
export async function listTableFaults<Result>(pointer: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const errors = error.extras.errors ?? [];
    if (!errors.some((each) => each.pointer === '/csv')) throw error;
    const reason = errors.map((each) => each.reason).join('\n');
    throw new Refusal(error.code, { ...error.extras, errors: [{ pointer, reason }] });
  }
}
