import type { Refusal } from '#lib/refusal.ts';
import type { Platform } from '#platform/platform.ts';

/** What an agent learns about a call that was not carried out. */
export type ToolProblem = {
  readonly code: string;
  readonly message: string;
  /** The arguments that are wrong. */
  readonly fields?: readonly { readonly field: string; readonly reason: string }[];
  /** What the agent, or the person whom it works for, can do about it. */
  readonly what_to_do: string;
  readonly retry_after_seconds?: number;
  readonly request_id: string;
};

/** Describes a refusal for a model: the code, the arguments that are wrong, and what to do: by the table of advice, or else by the status. */
export function describeProblem(
  { config, toolAdvice }: Pick<Platform, 'config' | 'toolAdvice'>,
  refusal: Refusal,
  request_id: string,
): ToolProblem {
  const { code, extras, message, status } = refusal;
  const retry_after_seconds = readRetryAfter(refusal);
  return {
    code,
    message,
    ...(extras.errors && {
      fields: extras.errors.map(({ pointer, reason }) => ({ field: toFieldName(pointer), reason })),
    }),
    what_to_do: toolAdvice[code]?.(config.publicUrl) ?? chooseAdvice(status, retry_after_seconds),
    ...(retry_after_seconds !== undefined && { retry_after_seconds }),
    request_id,
  };
}

function readRetryAfter({ extras }: Refusal): number | undefined {
  const header = extras.headers?.['retry-after'];
  return header === undefined ? undefined : Number(header);
}

/** A pointer such as `/salary_max` is the argument `salary_max`; `/claims/0` is `claims.0`. An empty one is about all arguments. */
function toFieldName(pointer: string): string {
  return pointer === '' ? 'arguments' : pointer.slice(1).replaceAll('/', '.');
}

function chooseAdvice(status: number, retry_after_seconds: number | undefined): string {
  if (retry_after_seconds !== undefined)
    return `Wait ${retry_after_seconds} seconds, then call the tool again with the same arguments.`;
  return (
    adviceByStatus[status] ??
    'Tell the person what happened. Calling again with the same arguments will not help.'
  );
}

const adviceByStatus: Readonly<Record<number, string>> = {
  403: 'The person has to change this themselves. Tell them why the call was refused.',
  404: 'Check the id: take it from the reply of a tool that lists these objects.',
  409: 'The state does not allow this. Read it again, and decide again.',
  410: 'This cannot be used any more. Ask for a new one.',
  422: 'Correct the fields that are named, and call the tool again.',
  429: 'Wait before you call the tool again.',
  503: 'Try again in a few seconds with the same arguments.',
};
