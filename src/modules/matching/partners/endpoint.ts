import type { FastifyInstance } from 'fastify';
import { addServiceKeyRows, type ServiceKeyProtocol } from '#platform/http/service-key-rows.ts';
import type { Row } from '#platform/http/row.ts';
import type { Platform } from '#platform/platform.ts';
import { buildAshbyError } from './ashby/build-error.ts';
import { buildGreenhouseError } from './greenhouse/build-error.ts';
import { ashby_path, greenhouse_path } from './wire.ts';

const media_type = 'application/json';

/** The paths that are served. */
export const partnerPaths: readonly string[] = [
  ...['list_tests', 'send_test', 'test_status', 'response_error'].map((name) => `${greenhouse_path}/${name}`),
  ...['list', 'start', 'cancel'].map((name) => `${ashby_path}/assessment.${name}`),
];

const protocols: readonly ServiceKeyProtocol[] = [
  { prefix: greenhouse_path, media_type, buildError: buildGreenhouseError },
  { prefix: ashby_path, media_type, buildError: buildAshbyError },
];

/** Adds what applicant tracking systems call: the contracts that Greenhouse and Ashby publish for partners who assess candidates. */
export function addPartnerEndpoints(server: FastifyInstance, platform: Platform, rows: readonly Row[]): void {
  for (const protocol of protocols)
    void server.register(async (scope) => addServiceKeyRows(scope, platform, protocol, rows), {
      prefix: protocol.prefix,
    });
}
