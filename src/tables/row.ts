import { row as declareRow } from '#platform/http/row.ts';
import { isGuardedByAge } from './recent-authentication.ts';

/** A row of the API, which needs a recent authentication if `recent-authentication.ts` says so. */
export const row: typeof declareRow = (method, path, access, operation, options) =>
  declareRow(method, path, access, operation, {
    ...options,
    ...(isGuardedByAge(operation) && { recent_authentication: true }),
  });
