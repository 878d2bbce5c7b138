import { Command, CommanderError, Option } from 'commander';
import { Refusal } from '#lib/refusal.ts';

/** One operator command. `usage` is the command's words and its arguments: `org set-tier <org> <tier>`. */
export type OperatorCommand<Context> = {
  readonly usage: string;
  readonly summary: string;
  /** Flags and their meaning: `['--role <role>', 'one of …']`; a flag with `!` at its end is required. */
  readonly options?: readonly (readonly [flags: string, meaning: string, fallback?: string])[];
  /** Returns what `--json` prints; a line of `field: value` pairs for people is made from it. */
  readonly run: (
    context: Context,
    input: Readonly<Record<string, string>>,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** Makes of a large result what people read without `--json`. */
  summarise?(this: void, result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
};

/** An operator's mistake that is nobody's defect: one line, exit code 1. */
export class OperatorError extends Error {}

/** Puts the commands of one table into a program. */
export type CommandTable = (program: Command) => void;

/** A table of commands that all run with the same kind of context, and what lends it to the one that was asked for. */
export function buildCommandTable<Context>(
  commands: readonly OperatorCommand<Context>[],
  runWithContext: (work: (context: Context) => Promise<void>) => Promise<void>,
): CommandTable {
  return (program) => {
    for (const command of commands) addCommand(program, command, runWithContext);
  };
}

/**
 * Parses the words, runs the command, prints its result.
 *
 * @returns 0, 1 (refused, one clear line on stderr) or 2 (usage).
 */
export async function runOperatorCommand(
  tables: readonly CommandTable[],
  words: readonly string[],
): Promise<number> {
  const program = new Command('tessera').description('The operator’s commands of Tessera.').exitOverride();
  for (const addTo of tables) addTo(program);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return 0;
  } catch (error) {
    return reportError(error);
  }
}

function addCommand<Context>(
  program: Command,
  { usage, summary, options = [], run, summarise }: OperatorCommand<Context>,
  runWithContext: (work: (context: Context) => Promise<void>) => Promise<void>,
): void {
  const words = usage.split(' ').filter((word) => !word.startsWith('<'));
  const places = usage.split(' ').filter((word) => word.startsWith('<'));
  const parent = words.slice(0, -1).reduce((above, word) => findOrAddGroup(above, word), program);
  const command = parent.command(words.at(-1)!).description(summary).exitOverride();
  for (const place of places) command.argument(place);
  for (const [flags, meaning, fallback] of options) {
    const option = new Option(flags.replace(/!$/, ''), meaning).makeOptionMandatory(flags.endsWith('!'));
    command.addOption(fallback === undefined ? option : option.default(fallback));
  }
  command.option('--json', 'print the result as JSON');
  command.action(async (...given: unknown[]) => {
    const { json, ...flags } = command.opts<{ json?: true } & Record<string, string>>();
    const positional = places.map(
      (place, index) => [place.replace(/[<>]/g, ''), given[index] as string] as const,
    );
    await runWithContext(async (context) => {
      const result = await run(context, { ...flags, ...Object.fromEntries(positional) });
      printResult(json || !summarise ? result : summarise(result), json);
    });
  });
}

function findOrAddGroup(above: Command, word: string): Command {
  return above.commands.find((known) => known.name() === word) ?? above.command(word).exitOverride();
}

function printResult(result: Readonly<Record<string, unknown>>, json: boolean | undefined): void {
  const line = Object.entries(result).map(
    ([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  process.stdout.write(`${json ? JSON.stringify(result) : line.join('\n')}\n`);
}

function reportError(error: unknown): number {
  // Commander printed help or the usage error itself.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof OperatorError || error instanceof Refusal)) throw error;
  process.stderr.write(`tessera: ${error.message}\n`);
  return 1;
}
