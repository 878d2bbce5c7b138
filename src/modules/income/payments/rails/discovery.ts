import { sampleIds } from '#platform/schema-samples.ts';

const textFields = { type: 'object', additionalProperties: { type: 'string' } };

/** The schema of {@link describeForCatalogues}, which catalogues check it with. It refers to nothing outside itself. */
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    input: {
      type: 'object',
      properties: {
        type: { const: 'http' },
        method: { enum: ['POST'] },
        bodyType: { enum: ['json'] },
        body: { type: 'object' },
        headers: textFields,
      },
      required: ['type', 'method', 'bodyType', 'body'],
      additionalProperties: false,
    },
    output: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
  },
  required: ['input'],
};

/** Describes a paid read over HTTP for catalogues of paid endpoints: the extension `bazaar` of version 2 of the protocol. */
export function describeForCatalogues({ data_type }: { readonly data_type: string }) {
  const input = {
    type: 'http',
    method: 'POST',
    bodyType: 'json',
    body: { member_id: sampleIds.member, data_type },
    headers: { authorization: 'Bearer <access token or service key of an organisation>' },
  };
  return { bazaar: { info: { input, output: { type: 'json' } }, schema } };
}
