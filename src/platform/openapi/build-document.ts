import type { Row } from '#platform/http/row.ts';
import type { Schema } from '#platform/openapi/build-sample.ts';
import { responseHeaders } from '#platform/openapi/describe-headers.ts';
import { describeRow, readTag } from '#platform/openapi/describe-row.ts';
import { describeWebhooks, type WebhookMessage } from '#platform/openapi/describe-webhooks.ts';
import type { Components, ProblemParts } from '#platform/openapi/write-schema.ts';

/**
 * Builds the OpenAPI 3.1 document of the API table and of the messages that webhooks send. TypeBox schemas are JSON Schema; {@link writeSchema} says what is added
 * to them.
 *
 * @param problem What problems of one status have besides the usual fields.
 */
export function buildOpenApiDocument(
  rows: readonly Row[],
  publicUrl: string,
  messages: readonly WebhookMessage[] = [],
  problem?: ProblemParts,
): Schema {
  const components: Components = { schemas: {}, responses: {}, examples: {}, ...(problem && { problem }) };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const row of rows) {
    const path = `/api/v1${row.path}`;
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: describeRow(row, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tessera',
      version: '1.0.0-preview',
      description:
        'Tessera measures people fairly, matches them with work, and issues credentials that anyone can verify. The API is a preview: endpoints may change without notice.',
      contact: { name: 'The operator of this service', url: publicUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative, so that the document is right behind every name and proxy of the service.
    servers: [{ url: '/', description: 'The service that this document comes from.' }],
    tags: [...new Set(rows.map(readTag))].map((name) => ({
      name,
      description: tagDescriptions[name] ?? `Endpoints under /api/v1/${name}.`,
    })),
    paths,
    ...(messages.length > 0 && { webhooks: describeWebhooks(messages, components) }),
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

const tagDescriptions: Readonly<Record<string, string>> = {
  auth: 'Accounts: registration, login, sessions, passwords, MFA and single sign-on.',
  orgs: 'Organisations: their jobs, users, culture profile and single sign-on.',
  matches: 'Matches of members and jobs, from their computation to their outcome.',
  members: 'The member who is logged in: profile, assessment, consent, matches and data rights.',
  identity: 'Claiming an identity that someone else prepared.',
  credentials: 'Signed credentials: issuing, verifying, revoking, and transfer to a wallet.',
  exports: 'Files with everything that is stored about a member or an organisation.',
  marketplace: 'Sales of identity data, and earnings from them.',
  webhooks: 'Messages to your server when something happens.',
  'consent-texts': 'The texts that members agree to.',
  taxonomy: 'The traits and archetypes, with their meanings.',
  'job-templates': 'Occupations to start a job from.',
  tasks: 'Background tasks.',
  'audit-log': 'Who did what, and when.',
  operator:
    'Running the service: accounts, organisations, background tasks, keys and health. For platform administrators.',
};
