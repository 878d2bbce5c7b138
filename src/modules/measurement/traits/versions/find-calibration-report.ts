import type { Reader } from '#platform/database/database.ts';
import type { TraitReport } from '../calibration/calibrate-bank.ts';
import { findVersion } from '../banks/store.ts';

const origins_max = 5;

/** Finds what the calibration found from which a version was made: a version with a map has that of the version without. Undefined without a calibration. */
export async function findCalibrationReport(
  db: Reader,
  bank: string,
  named: string,
): Promise<readonly TraitReport[] | undefined> {
  let version: unknown = named;
  for (let step = 0; step < origins_max && typeof version === 'string'; step++) {
    const stored = await findVersion(db, bank, version);
    const traits = stored?.report['traits'] as readonly TraitReport[] | undefined;
    if (traits) return traits;
    version =
      stored?.report['mapped_from'] ?? stored?.report['seeded_from'] ?? stored?.report['language_added_to'];
  }
  return undefined;
}
