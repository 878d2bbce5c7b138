type Parameter = { readonly name: string; readonly in: string };

type Content = Readonly<Record<string, { readonly schema?: unknown }>>;

type ApiOperation = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly description: string }>>;
};

/** What the client needs of an OpenAPI document. */
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly schemas: {
      readonly Problem: { readonly properties: { readonly code: { readonly enum: readonly string[] } } };
    };
  };
};

const prefix = '/api/v1';

/** Leaves out what types of a program need not have: refusals, which `TesseraError` describes, headers of replies, and cookies. */
export function selectForClient(document: ApiDocument): ApiDocument {
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, each]) => [method, selectOperation(each)])),
  ]);
  const { schemas } = document.components;
  return { ...document, paths: Object.fromEntries(paths) as ApiDocument['paths'], components: { schemas } };
}

function selectOperation(operation: ApiOperation): ApiOperation {
  const replies = Object.entries(operation.responses)
    .filter(([status]) => Number(status) < 300)
    .map(([status, { content, description }]) => [
      status,
      { description, ...(content && { content: removeExamples(content) }) },
    ]);
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'cookie');
  const { requestBody } = operation;
  return {
    ...operation,
    parameters,
    ...(requestBody && { requestBody: { ...requestBody, content: removeExamples(requestBody.content) } }),
    responses: Object.fromEntries(replies) as ApiOperation['responses'],
  };
}

/** Leaves out examples of whole bodies. Those of their fields stay. */
function removeExamples(content: Content): Content {
  return Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, { schema }]));
}

/** Writes the operations of each group with their methods and paths, from which the client builds its requests. */
export function writeOperationTable({ paths }: ApiDocument): string {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const [group, name] = operation.operationId.split('.') as [string, string];
      return { group, entry: `${name}: '${describeRequest(method, path, operation)}'` };
    }),
  );
  // One line for each group: the compiler would indent each operation by eight characters, which everybody would load.
  const groups = [...Map.groupBy(entries, ({ group }) => group)].map(
    ([group, own]) => `  ${group}: { ${own.map(({ entry }) => entry).join(', ')} },`,
  );
  return `import type { OperationTable } from './create-client.ts';\n\nexport const operationTable: OperationTable = {\n${groups.join('\n')}\n};\n`;
}

function describeRequest(
  method: string,
  path: string,
  { parameters = [], requestBody }: ApiOperation,
): string {
  if (!path.startsWith(prefix)) throw new TypeError(`${path} is not below ${prefix}`);
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  const body_types = Object.keys(requestBody?.content ?? {}).filter((type) => type !== 'application/json');
  return [method.toUpperCase(), path.slice(prefix.length), ...(takesKey ? ['key'] : []), ...body_types].join(
    ' ',
  );
}

/** Writes the codes of all refusals as a type. */
export function writeErrorCodes({ components }: ApiDocument): string {
  const codes = components.schemas.Problem.properties.code.enum.map((code) => `  | '${code}'`);
  return `/** The codes of all refusals. Later versions of the service may have more. */\nexport type ErrorCode =\n${codes.join('\n')};\n`;
}
