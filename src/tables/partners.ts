import * as partners from '#modules/matching/partners';
import { row as declareRow, type Method, type Row } from '#platform/http/row.ts';
import type { Operation } from '#platform/operation.ts';

/** A row of a system: one permission of a service key opens all rows of the system, and fields that are not read are ignored. */
const declareRows =
  (prefix: string, permission: string) =>
  (method: Method, name: string, operation: Operation): Row =>
    declareRow(method, `${prefix}/${name}`, 'jwt', operation, { permission, visited: true });

const greenhouse = declareRows(partners.greenhouse_path, partners.greenhouse_permission);
const ashby = declareRows(partners.ashby_path, partners.ashby_permission);

/** A part of TABLE 2: what applicant tracking systems call, served at the origin by the contracts that Greenhouse and Ashby publish. */
export const partnerRows: readonly Row[] = [
  greenhouse('GET', 'list_tests', partners.listTests),
  greenhouse('POST', 'send_test', partners.sendTest),
  greenhouse('GET', 'test_status', partners.readTestStatus),
  greenhouse('POST', 'response_error', partners.reportResponseError),
  ashby('POST', 'assessment.list', partners.listAssessments),
  ashby('POST', 'assessment.start', partners.startAssessment),
  ashby('POST', 'assessment.cancel', partners.cancelAssessment),
];
