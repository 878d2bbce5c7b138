import { _, str, type Ajv, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';

/**
 * Makes Ajv skip the pattern of a text that is much longer than its limit. With `allErrors`, Ajv would otherwise run every pattern over a
 * text as long as the largest body.
 */
export function skipLongPatterns(ajv: Ajv): void {
  ajv.removeKeyword('pattern').addKeyword(patternKeyword);
}

const patternKeyword: CodeKeywordDefinition = {
  keyword: 'pattern',
  type: 'string',
  schemaType: 'string',
  error: {
    message: ({ schemaCode }) => str`must match pattern "${schemaCode}"`,
    params: ({ schemaCode }) => _`{pattern: ${schemaCode}}`,
  },
  code(context: KeywordCxt) {
    const { gen, data } = context;
    // The context types every schema as any; `schemaType` makes Ajv refuse a schema whose pattern is not text.
    const schemaPattern = context.schema as string;
    const ref = new RegExp(schemaPattern, 'u');
    const compiled = gen.scopeValue('pattern', { ref, key: schemaPattern });
    const { maxLength } = context.parentSchema as { readonly maxLength?: number };
    const isMismatch = _`!${compiled}.test(${data})`;
    // A character has at most two units, so a longer text also fails `maxLength`, which reports it.
    context.fail(
      maxLength === undefined ? isMismatch : _`${data}.length <= ${2 * maxLength} && ${isMismatch}`,
    );
  },
};
