import * as directories from '#modules/access/directories';
import { row as declareRow, type Method, type Row } from '#platform/http/row.ts';
import type { Operation } from '#platform/operation.ts';

/** A row of SCIM: one permission of a service key opens all of them, and attributes that are not stored are ignored. */
const row = (method: Method, path: string, operation: Operation): Row =>
  declareRow(method, `${directories.scim_path}${path}`, 'jwt', operation, {
    permission: directories.scim_permission,
    visited: true,
  });

/** A part of TABLE 2: what directories call, served at the origin by SCIM 2.0. */
export const directoryRows: readonly Row[] = [
  row('POST', '/Users', directories.createUser),
  row('GET', '/Users', directories.listUsers),
  row('GET', '/Users/{id}', directories.readUser),
  row('PUT', '/Users/{id}', directories.replaceUser),
  row('PATCH', '/Users/{id}', directories.patchUser),
  row('DELETE', '/Users/{id}', directories.removeUser),
  row('POST', '/Groups', directories.createGroup),
  row('GET', '/Groups', directories.listGroups),
  row('GET', '/Groups/{id}', directories.readGroup),
  row('PUT', '/Groups/{id}', directories.replaceGroup),
  row('PATCH', '/Groups/{id}', directories.patchGroup),
  row('DELETE', '/Groups/{id}', directories.removeGroup),
];
