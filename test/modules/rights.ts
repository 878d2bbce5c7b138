import { text } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** The files of a ZIP by their names, as text; sizes and checksums are verified on the way. */
export async function unzipArchive(archive: Buffer): Promise<Readonly<Record<string, string>>> {
  const zip = await fromBufferPromise(archive);
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry())
    files[entry.fileName] = await text(await zip.openReadStreamPromise(entry));
  return files;
}
