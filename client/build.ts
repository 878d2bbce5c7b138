// Builds the package into dist/: the sources of src/, and what follows from the OpenAPI document.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { buildOpenApiDocument } from '../src/platform/openapi/build-document.ts';
import { additionalRows, specifiedRows } from '../src/tables/api.ts';
import { apiTexts } from '../src/tables/fields.ts';
import { selectForClient, writeErrorCodes, writeOperationTable, type ApiDocument } from './generate.ts';

const folder = import.meta.dirname;
const build = path.join(folder, 'build');
const dist = path.join(folder, 'dist');

const index = `import { buildClient } from './create-client.ts';
import type { ErrorCode } from './error-code.ts';
import { operationTable } from './operation-table.ts';
import type { operations } from './operations.ts';
import type { Connection } from './send-request.ts';
import { hasCode as hasAnyCode, type TesseraError } from './tessera-error.ts';
import type { Client, InputOf, OutputOf } from './types.ts';

export type { ErrorCode } from './error-code.ts';
export type { components } from './operations.ts';
export { TesseraError } from './tessera-error.ts';
export { verifyWebhook, type WebhookEvent } from './verify-webhook.ts';
export { waitForTask } from './wait-for-task.ts';
export type { Connection } from './send-request.ts';
export type { Reply, RequestOptions } from './types.ts';

/** The API: \`client.jobs.createJob({ body: { … } })\`. */
export type TesseraClient = Client<operations>;

/** What an operation takes: \`OperationInput<'jobs.createJob'>\`. */
export type OperationInput<Name extends keyof operations> = InputOf<operations[Name]>;

/** What an operation answers. */
export type OperationOutput<Name extends keyof operations> = OutputOf<operations[Name]>;

/** Whether an error is a refusal with one of these codes: \`if (hasCode(error, 'job_not_found'))\`. */
export const hasCode: (error: unknown, ...codes: readonly ErrorCode[]) => error is TesseraError = hasAnyCode;

/** Creates a client of a service. It holds no connection and needs no closing. */
export const createClient = (connection: Connection): TesseraClient => buildClient<operations>(operationTable, connection);
`;

const document = selectForClient(
  buildOpenApiDocument([...specifiedRows, ...additionalRows], 'https://tessera.example', {
    texts: apiTexts,
  }) as unknown as ApiDocument,
);
const types = astToString(
  await openapiTypescript(document as unknown as OpenAPI3, { defaultNonNullable: false, immutable: true }),
);
for (const old of [build, dist]) rmSync(old, { recursive: true, force: true });
cpSync(path.join(folder, 'src'), build, { recursive: true, filter: (file) => !file.endsWith('.test.ts') });
mkdirSync(dist);
for (const [name, text] of Object.entries({
  'index.ts': index,
  'operations.ts': types,
  'operation-table.ts': writeOperationTable(document),
  'error-code.ts': writeErrorCodes(document),
}))
  writeFileSync(path.join(build, name), text);
// What runs in browsers compiles without the types of Node, which only the command line has.
for (const settings of ['tsconfig.json', 'tsconfig.cli.json'])
  execFileSync(
    process.execPath,
    [path.join(folder, 'node_modules/typescript/bin/tsc'), '-p', path.join(folder, settings)],
    { stdio: 'inherit' },
  );
rmSync(build, { recursive: true });
