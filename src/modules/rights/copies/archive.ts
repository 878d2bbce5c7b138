import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { formatJson, formatWideCsv } from './collect-personal-data.ts';

/** One file of an archive, written when its turn comes. */
type Part = { readonly name: string; readonly text: () => Iterable<string> };

/** A member's data as a ZIP: `tessera-data.json` with everything, and one CSV for each section that has records. */
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
    { name: 'tessera-data.json', text: () => formatJson(sections, { member_id, exported_at }) },
    ...tables.map((section) => ({ name: `csv/${section.name}.csv`, text: () => formatWideCsv(section) })),
  ];
  return zipParts(parts, exported_at, bytes_max);
}

/** Streams the parts through the compressor one by one; only what has been compressed is held. @throws Error beyond `bytes_max`. */
async function zipParts(parts: readonly Part[], mtime: Date, bytes_max: number): Promise<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: Error) => output.destroy(error);
  zip.on('error', fail);
  for (const { name, text } of parts)
    // The library listens to its own files only: unheard, an error of this stream would end the process.
    zip.addReadStreamLazy(name, { mtime }, (give) => give(null, Readable.from(text()).on('error', fail)));
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
