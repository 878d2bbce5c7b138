import type { TObject } from 'typebox';
import type { Caller } from '#lib/caller.ts';
import { Refusal, type FieldError } from '#lib/refusal.ts';
import { mergeRefusals } from '#lib/run-all-checks.ts';
import type { Row } from '#platform/http/row.ts';
import {
  buildInputReader,
  createInputRefusal,
  requireValid,
  type ReadInput,
  type RequestParts,
} from '#platform/http/input/validation.ts';
import type { CheckContext, InputCheck } from '#platform/operation.ts';

/** What an input is compared with: the schema of its fields, what is added to them, and the checks of the operation. */
export type InputRules = {
  readonly schema: TObject;
  /** Fields that the caller cannot set. */
  readonly fixed?: object;
  readonly checks?: readonly InputCheck<never>[] | undefined;
};

/**
 * Builds the function that reads the input of an operation from a request and checks it.
 *
 * The function throws Refusal `field_invalid` (422), or the code of the first check that fails, and names every invalid field by JSON pointer; `body_missing` (400) for
 * a PUT.
 */
export function buildInputParser(
  services: Omit<CheckContext, 'caller'>,
  row: Row,
  { schema, fixed, checks = [] }: InputRules,
): (parts: RequestParts, caller: Caller) => Promise<object> {
  const read = buildInputReader(row, schema);
  return async (parts, caller) => {
    const { input, errors } = read(parts);
    const whole = { input: fixed === undefined ? input : Object.assign(input, fixed), errors };
    if (checks.length === 0) return requireValid(whole);
    const refusals = await runChecks({ ...services, caller }, checks, whole);
    const refusal = mergeRefusals([
      ...(errors.length === 0 ? [] : [createInputRefusal(errors)]),
      ...refusals,
    ]);
    if (refusal) throw refusal;
    return whole.input;
  };
}

/** Thrown by a field whose value the schema refuses, so that no check reads it. */
class UnreadableField extends Error {}

/** @returns what the checks refuse. They do not see fields that the schema refuses, nor anything of a body that is no object. */
async function runChecks(
  context: CheckContext,
  checks: readonly InputCheck<never>[],
  { input, errors }: ReadInput,
): Promise<readonly Refusal[]> {
  if (errors.some(({ pointer }) => pointer === '')) return [];
  const readable = hideFaultyFields(input, errors);
  const outcomes = await Promise.all(
    checks.map(async (check) => {
      try {
        // The types of `operation` make its checks accept its input.
        await check(readable as never, context);
        return [];
      } catch (error) {
        if (error instanceof Refusal) return [error];
        if (error instanceof UnreadableField) return [];
        throw error;
      }
    }),
  );
  return outcomes.flat();
}

function hideFaultyFields(input: object, errors: readonly FieldError[]): object {
  if (errors.length === 0) return input;
  const readable = { ...input };
  for (const { pointer } of errors) {
    const name = pointer.split('/')[1]!.replaceAll('~1', '/').replaceAll('~0', '~');
    const get = (): never => {
      throw new UnreadableField(name);
    };
    Object.defineProperty(readable, name, { get, enumerable: true, configurable: true });
  }
  return readable;
}
