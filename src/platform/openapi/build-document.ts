import type { Row } from '#platform/http/row.ts';
import { noTexts, type ApiTexts } from '#platform/openapi/api-texts.ts';
import type { Schema } from '#platform/openapi/build-sample.ts';
import { responseHeaders } from '#platform/openapi/describe-headers.ts';
import { describeRow, readTag } from '#platform/openapi/describe-row.ts';
import { describeWebhooks, type WebhookMessage } from '#platform/openapi/describe-webhooks.ts';
import type { Components, ProblemParts } from '#platform/openapi/write-schema.ts';

/** What a document describes besides the rows of the API. */
export type DocumentParts = {
  /** What webhooks send. */
  readonly messages?: readonly WebhookMessage[];
  /** What problems of one status have besides the usual fields. */
  readonly problem?: ProblemParts;
  readonly texts?: ApiTexts;
  /** Whether the service is for trying programs. */
  readonly sandbox?: boolean;
};

const sandbox_sentence = 'This is a sandbox: its people and payments are made up.';

/** Builds the OpenAPI 3.1 document of the API table. TypeBox schemas are JSON Schema; {@link writeSchema} says what is added to them. */
export function buildOpenApiDocument(
  rows: readonly Row[],
  publicUrl: string,
  { messages = [], problem, texts = noTexts, sandbox = false }: DocumentParts = {},
): Schema {
  const components: Components = {
    texts,
    schemas: {},
    responses: {},
    examples: {},
    ...(problem && { problem }),
  };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const row of rows) {
    const path = `/api/v1${row.path}`;
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: describeRow(row, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: sandbox ? 'Tessera sandbox' : 'Tessera',
      version: '1.0.0-preview',
      description: sandbox ? `${sandbox_sentence} ${texts.description}` : texts.description,
      contact: { name: 'The operator of this service', url: publicUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative, so that the document is right behind every name and proxy of the service.
    servers: [{ url: '/', description: 'The service that this document comes from.' }],
    tags: [...new Set(rows.map(readTag))].map((name) => ({
      name,
      description: texts.tags[name] ?? `Endpoints under /api/v1/${name}.`,
    })),
    paths,
    ...(messages.length > 0 && { webhooks: describeWebhooks(messages, components, sandbox) }),
    components: {
      schemas: components.schemas,
      responses: components.responses,
      examples: components.examples,
      headers: responseHeaders,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access_token of POST /auth/register or POST /auth/login.',
        },
      },
    },
  };
}
