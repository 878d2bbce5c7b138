/** A JSON Schema (2020-12) whose references are resolved. */
export type Schema = Readonly<Record<string, unknown>>;

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
};

export type DocumentedResponse = {
  readonly description: string;
  /** Media type → schema; empty if the reply has no body. */
  readonly content: Readonly<Record<string, Schema>>;
};

/** One operation of an OpenAPI document, with all references resolved. */
export type ApiOperation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly required: boolean; readonly schema: Schema } | undefined;
  /** Whether the caller must be logged in. */
  readonly loggedIn: boolean;
  /** Whether unknown parameters are ignored, because browsers come here from other sites. The document does not say so. */
  readonly ignoresUnknown?: boolean;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
};

type RawOperation = {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Record<string, { readonly schema: Schema }>;
  };
  readonly responses: Record<
    string,
    { readonly description: string; readonly content?: Record<string, { readonly schema: Schema }> }
  >;
};

/** The part of an OpenAPI document that a contract test reads. */
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
};

/** Every operation of the document that accepts JSON or no body, in its order. Forms have their own tests. */
export function listOperations(document: ApiDocument): readonly ApiOperation[] {
  const paths = resolveReferences(document.paths, document.components ?? {}) as ApiDocument['paths'];
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, RawOperation>>)
      .filter(([, { requestBody }]) => requestBody === undefined || 'application/json' in requestBody.content)
      .map(([method, raw]) => toApiOperation(method, path, raw)),
  );
}

function toApiOperation(method: string, path: string, raw: RawOperation): ApiOperation {
  const body = raw.requestBody;
  const responses = Object.entries(raw.responses).map(([status, { description, content = {} }]) => {
    const schemas = Object.entries(content).map(([type, { schema }]) => [type, schema] as const);
    return [status, { description, content: Object.fromEntries(schemas) }] as const;
  });
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    parameters: raw.parameters ?? [],
    body: body && { required: body.required ?? false, schema: body.content['application/json']!.schema },
    loggedIn: (raw.security ?? []).length > 0,
    responses: Object.fromEntries(responses),
  };
}

type Components = NonNullable<ApiDocument['components']>;

function resolveReferences(value: unknown, components: Components, depth = 0): unknown {
  if (depth > 100) throw new Error('a schema refers to itself');
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, components, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { $ref?: string };
  if (typeof $ref === 'string')
    return resolveReferences(requireComponent($ref, components), components, depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolveReferences(item, components, depth + 1)]),
  );
}

function requireComponent(reference: string, components: Components): Schema {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(reference) ?? [];
  const found = components[kind]?.[name];
  if (!found) throw new Error(`the document does not contain ${reference}`);
  return found;
}

/** Closes every object that does not say whether it is closed: a reply must not have an unnamed field. */
export function closeSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeSchema);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closeSchema(item)]));
  const open = inner['type'] === 'object' && 'properties' in inner && !('additionalProperties' in inner);
  return open ? { ...inner, additionalProperties: false } : inner;
}
