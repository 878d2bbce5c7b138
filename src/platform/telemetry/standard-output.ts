import type { DestinationStream } from 'pino';
import { systemClock } from '#platform/clock.ts';

/** Where the log goes: `flush` writes what is gathered. */
export type LogOutput = DestinationStream & { readonly flush: () => void };

/** About three hundred request lines. */
const gathered_characters_max = 64 * 1024;
const flush_interval_ms = 100;
/** What may wait for a reader that is slower than the log: about thirty thousand request lines. */
const waiting_bytes_max = 8 * 1024 * 1024;

let sharedOutput: LogOutput | undefined;
let dropped_lines = 0;

/** Counts the lines that this process has dropped because nobody read them in time. */
export function countDroppedLines(): number {
  return dropped_lines;
}

/**
 * Opens the standard output of this process. Lines are gathered and written together, because a separate write for every request took a
 * twentieth of the processor time of a simple request. A killed process loses the lines of its last 100 ms, but no warnings and errors.
 *
 * Node writes to a pipe or a socket without waiting for its reader. If the reader stalls, lines wait in a bounded buffer; above the bound they
 * are dropped and counted, and the log says how many as soon as it is read again. A reader that is gone, or a full disk, ends no process.
 */
export function openStandardOutput(): LogOutput {
  if (sharedOutput) return sharedOutput;
  let gathered = '';
  let unreported_lines = 0;
  const drop = (text: string) => {
    const lines = countLines(text);
    dropped_lines += lines;
    unreported_lines += lines;
  };
  const write = (text: string) => {
    if (!process.stdout.writable || process.stdout.writableLength > waiting_bytes_max) return drop(text);
    const report = unreported_lines === 0 ? '' : formatReport(unreported_lines);
    try {
      process.stdout.write(report + text);
      unreported_lines = 0;
    } catch {
      // A file on a full disk: Node writes to files at once, and reports the error here.
      drop(text);
    }
  };
  const flush = () => {
    const text = gathered;
    gathered = '';
    if (text !== '') write(text);
  };
  // Without a listener, a reader that has gone (EPIPE) would end the process.
  process.stdout.on('error', () => undefined);
  setInterval(flush, flush_interval_ms).unref();
  process.on('exit', flush);
  sharedOutput = {
    write: (line) => {
      gathered += line;
      if (gathered.length >= gathered_characters_max) flush();
    },
    flush,
  };
  return sharedOutput;
}

function formatReport(lines: number): string {
  const report = { level: 'warn', time: systemClock.now().toISOString(), dropped_lines: lines };
  return `${JSON.stringify({ ...report, msg: 'log lines were dropped, because nobody read them in time' })}\n`;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
