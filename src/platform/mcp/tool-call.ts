import type { Caller } from '#lib/caller.ts';
import type { RequestFacts } from '#platform/operation.ts';

/** One call of a tool, with its arguments and metadata as they were sent. */
export type ToolCall = {
  readonly caller: Caller;
  readonly facts: RequestFacts;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
};

/** The outcome of a call, as both revisions of the protocol need it. */
export type ToolOutcome =
  | {
      readonly kind: 'result';
      /** The members of the result object as JSON text without its braces. */
      readonly members: string;
      readonly meta?: Readonly<Record<string, unknown>>;
      readonly outcome: 'succeeded' | 'refused' | 'unpaid';
    }
  | {
      readonly kind: 'error';
      readonly error: { readonly code: number; readonly message: string; readonly data: object };
      readonly outcome: 'unpaid' | 'failed';
    };

/** Calls one tool. It never throws. */
export type CallTool = (call: ToolCall) => Promise<ToolOutcome>;
