import { availableParallelism, cpus, totalmem } from 'node:os';

/** The results of a benchmark: tables, and notes on what was measured. */
export type Report = {
  readonly title: string;
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
  /** Targets that were missed and that end the run with an error. */
  readonly failures?: readonly string[];
};

export type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** Runs one benchmark. With `quick` the run is short and only shows that the benchmark works. */
export type Benchmark = (options: { readonly quick: boolean }) => Promise<Report>;

/** Describes the machine in one line. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'an unknown processor';
  const memory_gb = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores (${model}), ${memory_gb} GB, ${process.platform}-${process.arch}, Node ${process.versions.node}`;
}

/** Prints a report as Markdown. */
export function printReport({ title, tables, notes, failures = [] }: Report): void {
  console.log(`\n### ${title}`);
  for (const table of tables) console.log(`\n${formatTable(table)}`);
  if (notes.length > 0) console.log(`\n${notes.join('\n')}`);
  for (const failure of failures) console.log(`\n**Missed:** ${failure}`);
}

function formatTable({ head, rows }: Table): string {
  const formatLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [formatLine(head), formatLine(head.map(() => '---')), ...rows.map(formatLine)].join('\n');
}

/** Formats a ratio like `1.42×`. */
export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(2)}×`;
}

/** Formats a ratio like `4.2 %`. */
export function formatPercent(ratio: number): string {
  return `${(ratio * 100).toFixed(1)} %`;
}

/** Formats milliseconds with three significant figures, from ten seconds on in seconds. */
export function formatMilliseconds(value: number): string {
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  return value >= 100 ? `${Math.round(value)} ms` : `${value.toPrecision(3)} ms`;
}

export function formatMicroseconds(value: number): string {
  return `${value.toFixed(1)} µs`;
}
