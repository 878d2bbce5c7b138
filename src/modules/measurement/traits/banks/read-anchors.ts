import type { ItemParameters } from '@tessera/psychometrics';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { loadBankVersion } from './bank-version.ts';
import { readNamedRows } from './csv-rows.ts';
import { readBankFile } from './read-bank-file.ts';

/**
 * Reads the parameters that anchors have on the scale of an earlier form, by the id of the statement: from what `items export` has printed (`.json`), of
 * which every statement that both forms have is an anchor, or from CSV with a column `item_id` and either `bank` and `version` of a stored version or
 * `discrimination`, `threshold:1`, ….
 *
 * @throws OperatorError that names the line and the column of the first error.
 */
export async function readAnchors(
  platform: Pick<Platform, 'database' | 'memory'>,
  file: string,
): Promise<ReadonlyMap<string, ItemParameters>> {
  if (/\.json$/i.test(file)) {
    const { version } = await readBankFile(file);
    if (!version) throw new OperatorError(`${file} has no parameters; "items export" prints them`);
    return new Map(Object.entries(version.parameters.items));
  }
  const anchors = new Map<string, ItemParameters>();
  for await (const { cells, where } of readNamedRows(file, ['item_id'])) {
    const id = cells['item_id']!;
    if (anchors.has(id))
      throw new OperatorError(`${where}, column item_id: "${id.slice(0, 40)}" is there twice`);
    anchors.set(id, await readAnchor(platform, cells, where));
  }
  return anchors;
}

async function readAnchor(
  platform: Pick<Platform, 'database' | 'memory'>,
  row: Readonly<Record<string, string>>,
  where: string,
): Promise<ItemParameters> {
  const { item_id = '', bank, version, discrimination } = row;
  if (bank && version) {
    const found = (await loadBankVersion(platform, { bank, version })).items.itemsById.get(item_id);
    if (found && 'thresholds' in found) return found;
    throw new OperatorError(
      `${where}, column item_id: the version has no statement "${item_id.slice(0, 40)}"`,
    );
  }
  if (!discrimination)
    throw new OperatorError(
      `${where}: an anchor needs the columns bank and version, or discrimination and threshold:1, threshold:2, …`,
    );
  const columns = Object.keys(row).filter((name) => /^threshold:\d+$/.test(name) && row[name] !== '');
  const thresholds = columns.map((column) => readNumber(row, column, where));
  const isAscending = thresholds.every((value, k) => k === 0 || value > thresholds[k - 1]!);
  if (thresholds.length === 0 || !isAscending)
    throw new OperatorError(`${where}, column threshold:1: ascending thresholds are needed`);
  return { discrimination: readNumber(row, 'discrimination', where), thresholds };
}

function readNumber(row: Readonly<Record<string, string>>, column: string, where: string): number {
  const value = Number(row[column]);
  if (Number.isFinite(value) && Math.abs(value) < 100 && (column !== 'discrimination' || value > 0))
    return value;
  throw new OperatorError(`${where}, column ${column}: "${row[column]!.slice(0, 40)}" is not a parameter`);
}
