import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { formatJson, formatWideCsv } from './collect-personal-data.ts';
import { writeDataWorkbook } from './write-data-workbook.ts';

/** One file of an archive; its content is produced only when it is compressed. */
type Part = { readonly name: string; readonly produce: () => Iterable<string> | AsyncIterable<Uint8Array> };

/** Builds a ZIP of a member's data: `tessera-data.json` and `tessera-data.xlsx` with everything, and one CSV for each section that has records. */
export function buildArchive(
  sections: readonly PersonalDataRows[],
  {
    member_id,
    exported_at,
    bytes_max,
  }: { readonly member_id: string; readonly exported_at: Date; readonly bytes_max: number },
): Promise<Buffer> {
  const tables = sections.filter(({ rows }) => rows.length > 0);
  const parts: readonly Part[] = [
    { name: 'tessera-data.json', produce: () => formatJson(sections, { member_id, exported_at }) },
    { name: 'tessera-data.xlsx', produce: () => writeDataWorkbook(sections) },
    ...tables.map((section) => ({ name: `csv/${section.name}.csv`, produce: () => formatWideCsv(section) })),
  ];
  return zipParts(parts, exported_at, bytes_max);
}

/** Compresses the parts one after the other, so that only compressed bytes are in memory. @throws Error beyond `bytes_max`. */
async function zipParts(parts: readonly Part[], mtime: Date, bytes_max: number): Promise<Buffer> {
  const zip = new ZipFile();
  // A PassThrough, which the library's types declare as a stream without destroy. Node's types declare its chunks as any.
  const output = zip.outputStream as Readable;
  const fail = (error: Error) => output.destroy(error);
  zip.on('error', fail);
  for (const { name, produce } of parts)
    // The library handles errors of its own files only: an unhandled error of this stream would end the process.
    zip.addReadStreamLazy(name, { mtime }, (open) => open(null, Readable.from(produce()).on('error', fail)));
  zip.end();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of output as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytes_max) throw new Error(`a data export is larger than ${bytes_max} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
