import { Type } from 'typebox';
import { row, type Row } from '#platform/http/row.ts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';

/** Creates a row that anyone can get, and which replies with what `run` returns. */
export function createGetRow(path: string, run: () => Promise<object>): Row {
  return row(
    'GET',
    path,
    'public',
    operation({
      name: 'test.get',
      summary: 'Returns a value.',
      who: 'anyone',
      input: closedObject({}),
      output: { 200: Type.Unsafe<unknown>({}) },
      refuses: [],
      run,
    }),
  );
}
