import { registerHooks } from 'node:module';

/** Replaces one text of a file of the repository by another. */
export type Edit = { readonly file: string; readonly from: string; readonly to: string };

// Preloaded into a service that a benchmark compares with the unchanged one: loads the modules with the edits of BENCH_EDITS.
const edits = JSON.parse(process.env['BENCH_EDITS'] ?? '[]') as readonly Edit[];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const here = edits.filter(({ file }) => url.endsWith(`/${file}`));
    if (here.length === 0) return loaded;
    return { ...loaded, source: here.reduce(applyEdit, Buffer.from(loaded.source as Uint8Array).toString()) };
  },
});

/** An edit that no longer fits the file would silently measure nothing. */
function applyEdit(source: string, { file, from, to }: Edit): string {
  if (!source.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`);
  return source.replace(from, () => to);
}
