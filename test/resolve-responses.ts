type Node = Readonly<Record<string, unknown>>;

/** Replaces the references to shared error replies in an OpenAPI document by the replies themselves. */
export function resolveResponses(document: Node): Node {
  const { responses } = document['components'] as { readonly responses: Node };
  const resolveValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolveValue);
    if (typeof value !== 'object' || value === null) return value;
    const name = /^#\/components\/responses\/(\w+)$/.exec(String((value as Node)['$ref']))?.[1];
    if (name !== undefined) return responses[name];
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolveValue(inner)]));
  };
  return { ...document, paths: resolveValue(document['paths']) };
}
