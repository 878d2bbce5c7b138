import { _, str, type Ajv, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';

/**
 * Makes Ajv check the length of a text before its pattern, and skip the pattern if the text is much too long. With `allErrors`, Ajv would
 * otherwise run every pattern over a text as long as the largest body.
 */
export function checkLengthsFirst(ajv: Ajv): void {
  countLengthsLazily(ajv);
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

/**
 * Makes Ajv check `maxLength` and `minLength` faster. They count characters, not UTF-16 units (JSON Schema validation, section 6.3), so Ajv
 * reads the whole text for each of the two, which takes 5 µs for a token. The number of characters is at least half the number of units and
 * at most equal to it, which nearly always decides the check; only other text is counted.
 */
function countLengthsLazily(ajv: Ajv): void {
  for (const keyword of ['maxLength', 'minLength'] as const)
    ajv.removeKeyword(keyword).addKeyword(buildLengthKeyword(keyword));
}

function buildLengthKeyword(keyword: 'maxLength' | 'minLength'): CodeKeywordDefinition {
  const comparative = keyword === 'maxLength' ? 'more' : 'fewer';
  return {
    keyword,
    type: 'string',
    schemaType: 'number',
    error: {
      message: ({ schemaCode }) => str`must NOT have ${comparative} than ${schemaCode} characters`,
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
    code(context: KeywordCxt) {
      const { gen, data, schemaCode: limit } = context;
      const counted = gen.scopeValue('func', { ref: countCharacters });
      context.fail(
        keyword === 'maxLength'
          ? _`${data}.length > ${limit} && ${counted}(${data}) > ${limit}`
          : _`${data}.length < 2 * ${limit} && ${counted}(${data}) < ${limit}`,
      );
    },
  };
}

/** Counts code points. Half of a surrogate pair counts as one. */
function countCharacters(text: string): number {
  let characters = text.length;
  for (let index = 0; index < text.length - 1; index++) if (text.codePointAt(index)! > 0xffff) characters--;
  return characters;
}
