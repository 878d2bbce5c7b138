import { once } from 'node:events';
import { Command, CommanderError, Option } from 'commander';
import { Refusal } from '#lib/refusal.ts';

type Input = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;
/** What a command returns: fields, a list, or rows that are printed as JSON as they come, one on each line. */
type Output = Fields | readonly Fields[] | AsyncIterable<Fields>;

type CommandTexts = {
  /** The words and the arguments of the command: `org set-tier <org> <tier>`. */
  readonly usage: string;
  readonly summary: string;
  /** Flags and their meaning: `['--role <role>', 'one of …']`. A flag that ends with `!` is required. */
  readonly options?: readonly (readonly [flags: string, meaning: string, fallback?: string])[];
};

type CommandDefinition<Context, Result extends Output> = CommandTexts & {
  /** Returns the result. `--json` prints it as JSON; otherwise each field is printed as `field: value` on its own line, and a list as JSON. */
  readonly run: (context: Context, input: Input) => Promise<Result>;
  /** Reduces a large result to what is printed without `--json`. */
  readonly summarise?: (result: Result) => Fields;
  /** Describes why a result that was printed still counts as a failure, with exit code 1. */
  readonly describeFailure?: (result: Result) => string | undefined;
};

/** One operator command, without the type of its result. */
export type OperatorCommand<Context> = CommandTexts & {
  readonly run: (context: Context, input: Input) => Promise<CommandReport>;
};

type CommandReport = {
  readonly result: Output;
  readonly summary: Output;
  readonly failure: string | undefined;
};

/** Defines an operator command. */
export function command<Context, Result extends Output>({
  run,
  summarise,
  describeFailure,
  ...texts
}: CommandDefinition<Context, Result>): OperatorCommand<Context> {
  return {
    ...texts,
    run: async (context, input) => {
      const result = await run(context, input);
      return { result, summary: summarise?.(result) ?? result, failure: describeFailure?.(result) };
    },
  };
}

/** What the help and `--version` print besides the commands. `groups` says what the commands with the same first word are for. */
export type ProgramTexts = {
  readonly version: string;
  readonly groups: Readonly<Record<string, string>>;
};

/** An error that the operator can correct: it is printed as one line, with exit code 1. What it quotes of a file cannot control the terminal. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' '), options);
  }
}

/** Adds the commands of one table to a program. */
export type CommandTable = (program: Command) => void;

/** Builds a table of commands that share a kind of context. `runWithContext` opens the context for the command that runs. */
export function buildCommandTable<Context>(
  commands: readonly OperatorCommand<Context>[],
  runWithContext: (work: (context: Context) => Promise<void>) => Promise<void>,
): CommandTable {
  return (program) => {
    for (const command of commands) addCommand(program, command, runWithContext);
  };
}

/**
 * Parses the words, runs the command and prints its result.
 *
 * @returns the exit code: 0, 1 (refused, with one line on stderr) or 2 (wrong usage).
 */
export async function runOperatorCommand(
  tables: readonly CommandTable[],
  words: readonly string[],
  { version, groups }: ProgramTexts = { version: '0', groups: {} },
): Promise<number> {
  const program = new Command('tessera cli').description('Operator commands of Tessera.').exitOverride();
  // Otherwise the version of the program would be printed for a command that has an option of this name.
  program.enablePositionalOptions().version(version);
  for (const addCommands of tables) addCommands(program);
  for (const group of program.commands)
    if (group.commands.length > 0) group.description(groups[group.name()] ?? '');
  try {
    await program.parseAsync([...words], { from: 'user' });
    return 0;
  } catch (error) {
    return reportError(error);
  }
}

function addCommand<Context>(
  program: Command,
  { usage, summary: description, options = [], run }: OperatorCommand<Context>,
  runWithContext: (work: (context: Context) => Promise<void>) => Promise<void>,
): void {
  const words = usage.split(' ').filter((word) => !word.startsWith('<'));
  const argumentNames = usage.split(' ').filter((word) => word.startsWith('<'));
  const parent = words.slice(0, -1).reduce((group, word) => findOrAddGroup(group, word), program);
  const added = parent.command(words.at(-1)!).description(description).exitOverride();
  for (const name of argumentNames) added.argument(name);
  for (const [flags, meaning, fallback] of options) {
    const option = new Option(flags.replace(/!$/, ''), meaning).makeOptionMandatory(flags.endsWith('!'));
    added.addOption(fallback === undefined ? option : option.default(fallback));
  }
  added.option('--json', 'print the result as JSON');
  added.action(async () => {
    const { json, ...flags } = added.opts<{ json?: true } & Record<string, string>>();
    const positional = argumentNames.map(
      (name, index) => [name.replace(/[<>]/g, ''), added.args[index]!] as const,
    );
    await runWithContext(async (context) => {
      const { result, summary, failure } = await run(context, {
        ...flags,
        ...Object.fromEntries(positional),
      });
      await printResult(json ? result : summary, json);
      if (failure !== undefined) throw new OperatorError(failure);
    });
  });
}

function findOrAddGroup(parent: Command, word: string): Command {
  return parent.commands.find((command) => command.name() === word) ?? parent.command(word).exitOverride();
}

async function printResult(result: Output, json: boolean | undefined): Promise<void> {
  if (Symbol.asyncIterator in result) for await (const row of result) await printLine(JSON.stringify(row));
  else if (json || Array.isArray(result)) await printLine(JSON.stringify(result));
  else await printLine(formatFields(result as Fields));
}

function formatFields(fields: Fields): string {
  return Object.entries(fields)
    .map(([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** Waits while the reader of a pipe is slow, so that many rows need little memory. @throws OperatorError if the reader has gone, as `head` does. */
async function printLine(line: string): Promise<void> {
  try {
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE')
      throw new OperatorError('nobody reads the output any more; it is not complete');
    throw error;
  }
}

function reportError(error: unknown): number {
  // Commander has already printed the help or the usage error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof OperatorError || error instanceof Refusal)) throw error;
  process.stderr.write(`tessera: ${error.message}\n`);
  return 1;
}

const password_line_characters_max = 1_024;

/** Reads the password from the flag `--password`, or from the first line of standard input. @throws OperatorError */
export async function readPassword({
  password,
  passwordStdin,
}: Readonly<Record<string, string>>): Promise<string> {
  if ((password === undefined) === (passwordStdin === undefined))
    throw new OperatorError('give the password either with --password-stdin or with --password');
  if (password !== undefined) return password;
  if (process.stdin.isTTY)
    throw new OperatorError('--password-stdin reads a pipe or a file; a terminal would show the password');
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('\n') || text.length > password_line_characters_max) break;
  }
  const [line = ''] = text.split('\n', 1);
  if (line === '' || line === '\r') throw new OperatorError('standard input has no password');
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
