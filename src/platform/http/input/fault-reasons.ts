import type { ErrorObject } from 'ajv';
import { reason_keyword } from '#platform/schema.ts';

/** Describes a fault that Ajv found, in words that complete "The field …". A regular expression is never shown. */
export function describeFault(fault: ErrorObject): string {
  const reason = describeRule(fault);
  return fault.propertyName === undefined ? reason : `has a field whose name ${reason}`;
}

function describeRule(fault: ErrorObject): string {
  // Ajv types the parameters of every keyword alike; each keyword reads its own.
  const params = fault.params as {
    readonly limit?: number;
    readonly multipleOf?: number;
    readonly format?: string;
    readonly type?: string | readonly string[];
    readonly allowedValue?: unknown;
    readonly allowedValues?: readonly unknown[];
  };
  switch (fault.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a field of this request';
    case 'type':
      return `must be ${listTypes(params.type)}`;
    case 'enum':
      return `must be one of ${params.allowedValues?.join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'format':
      return `must be ${formats[params.format ?? ''] ?? 'in the expected format'}`;
    case 'pattern':
      return describePattern(fault.parentSchema);
    case 'uniqueItems':
      return 'must not contain the same item twice';
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`;
    case 'propertyNames':
      return 'has a field with an invalid name';
    default:
      return describeLimit(fault.keyword, params.limit ?? 0) ?? 'has an invalid value';
  }
}

function describeLimit(keyword: string, limit: number): string | undefined {
  const unit = units[keyword];
  if (unit !== undefined) {
    const bound = keyword.startsWith('min') ? 'at least' : 'at most';
    return `must have ${bound} ${limit} ${limit === 1 ? unit : `${unit}s`}`;
  }
  const bound = bounds[keyword];
  return bound === undefined ? undefined : `must be ${bound} ${limit}`;
}

const units: Readonly<Record<string, string>> = {
  minLength: 'character',
  maxLength: 'character',
  minItems: 'item',
  maxItems: 'item',
  minProperties: 'field',
  maxProperties: 'field',
};

const bounds: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'above',
  exclusiveMaximum: 'below',
};

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  'date-time': 'a time in UTC such as 2026-03-01T12:00:00Z',
  date: 'a date such as 2026-03-01',
  email: 'an email address',
  uri: 'a URL',
};

/** Ajv names several types as a list, or as text with commas. */
function listTypes(type: string | readonly string[] = []): string {
  const names = typeof type === 'string' ? type.split(',') : type;
  return names.map((name) => types[name] ?? name).join(' or ');
}

function describePattern(schema: ErrorObject['parentSchema']): string {
  const { [reason_keyword]: reason, description } = schema ?? {};
  if (typeof reason === 'string') return reason;
  const hint = typeof description === 'string' ? `: ${description.replace(/\.$/, '')}` : '';
  return `must have the expected form${hint}`;
}
