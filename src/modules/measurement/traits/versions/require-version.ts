import { Refusal } from '#lib/refusal.ts';
import { OperatorError } from '#platform/command-line.ts';
import { loadBankVersion, type BankVersion, type ReadingServices } from '../banks/bank-version.ts';

/** Loads a version of a bank for the API. @throws Refusal calibration_not_found for an unknown bank or version. */
export async function requireVersion(
  services: ReadingServices,
  named: { readonly bank: string; readonly version: string },
): Promise<BankVersion> {
  try {
    return await loadBankVersion(services, named);
  } catch (error) {
    if (error instanceof OperatorError) throw new Refusal('calibration_not_found');
    throw error;
  }
}
