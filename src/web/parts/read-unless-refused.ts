import { Refusal } from '#lib/refusal.ts';
import type { RefusalCode } from '#lib/refusals.ts';

/** Reads what a page can do without: undefined if the API refuses it for one of these reasons. */
export async function readUnlessRefused<Body>(
  codes: readonly RefusalCode[],
  read: () => Promise<Body>,
): Promise<Body | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Refusal && codes.includes(error.code)) return undefined;
    throw error;
  }
}
