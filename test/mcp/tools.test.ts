import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { additionalRows, specifiedRows } from '../../src/tables/api.ts';
import { apiTexts } from '../../src/tables/fields.ts';
import { isGuardedByAge } from '../../src/tables/recent-authentication.ts';
import { instructions, toolRows } from '../../src/tables/tools.ts';
import { isPublicTool, listToolsForRole, readToolScopes, toToolScope } from '#lib/tool.ts';
import { tools } from '#test/tools.ts';
import { writeTool } from '#platform/mcp/write-tool.ts';

const apiRows = [...specifiedRows, ...additionalRows];
const readDocument = (name: string) => readFileSync(path.join(import.meta.dirname, '../..', name), 'utf8');

/** The tools that the design names, in the words that clients see. */
const designed =
  'list_traits list_archetypes verify_attestation create_identity_stub add_stub_observations read_identity_stub read_profile update_profile read_traits read_archetype next_assessment_item answer_assessment_item list_matches explain_match respond_to_match read_consent set_consent list_credentials issue_credential revoke_credential list_credential_offers answer_credential_offer read_earnings read_legibility request_data_export list_jobs preview_job_impact create_job list_job_matches set_match_status offer_credential search_job_templates query_archetype query_trait_profile query_values_profile query_alignment';

test('the tools are those of the design, under names that every client accepts', () => {
  expect(tools.map(({ name }) => name).toSorted()).toEqual(designed.split(' ').toSorted());
  for (const { name } of tools) expect(name).toMatch(/^[a-z_]{1,64}$/);
});

describe.each(toolRows.map((row) => [row.tool.name, row] as const))('%s', (_name, row) => {
  const { tool, operation } = row;

  test('is an operation that the API has as well', () => {
    expect(apiRows.map((each) => each.operation)).toContain(operation);
  });

  test('can be allowed only by roles that may call the operation, and never by an operator', () => {
    // What anyone may call can still be a tool for some roles, so that others are not offered it.
    const callers = operation.who === 'anyone' ? (tool.roles ?? []) : operation.who;
    expect(isPublicTool(tool) && operation.who !== 'anyone').toBe(false);
    for (const role of tool.roles ?? []) expect(callers).toContain(role);
    expect(tool.roles ?? []).not.toContain('platform_admin');
    expect(tool.roles?.length !== 0 && (tool.consent === undefined) === isPublicTool(tool)).toBe(true);
  });

  test('needs no recent authentication, which an agent cannot have', () => {
    expect(isGuardedByAge(operation)).toBe(false);
  });

  test('is described for a model, with hints that agree with its kind', () => {
    const { title, description, annotations } = writeTool(row, apiTexts);
    expect(title.length).toBeGreaterThan(5);
    expect(description).toMatch(/^[A-Z].{60,700}\.$/);
    expect(annotations.readOnlyHint).toBe(tool.kind === 'read');
    expect(annotations.readOnlyHint && annotations.destructiveHint).toBe(false);
    expect(tool.kind === 'spend').toBe(operation.takes_payment === true);
  });

  test('has schemas that are complete by themselves, are objects, and refuse unknown arguments', () => {
    const { inputSchema, outputSchema } = writeTool(row, apiTexts);
    const ajv = formats.default(new Ajv2020({ strict: false }));
    for (const schema of [inputSchema, outputSchema]) {
      expect(schema.type).toBe('object');
      expect(JSON.stringify(schema)).not.toContain('#/components/');
      expect(() => ajv.compile(schema)).not.toThrow();
    }
    expect(inputSchema['additionalProperties']).toBe(false);
    // A client keeps the schema of a reply, and a later version may add a field.
    expect(JSON.stringify(outputSchema)).not.toContain('"additionalProperties":false');
    expect(JSON.stringify([inputSchema, outputSchema])).not.toMatch(/"x-/);
    expect(Object.keys((inputSchema['properties'] as object) ?? {})).toEqual([
      ...Object.keys(operation.input.properties).filter((name) => !Object.hasOwn(tool.fixed ?? {}, name)),
      ...(operation.takes_payment ? ['_payment'] : []),
    ]);
  });

  test('has no list of types, for which hosts of agents refuse all tools', () => {
    const { inputSchema, outputSchema } = writeTool(row, apiTexts);
    expect(JSON.stringify([inputSchema, outputSchema])).not.toMatch(/"type":\[/);
  });

  test('is in the document for agents, with its row of the API', () => {
    const called = apiRows.find((each) => each.operation === operation)!;
    const line = readDocument('docs/agents.md')
      .split('\n')
      .find((each) => each.startsWith(`| \`${tool.name}\` |`));
    expect(line).toContain(`\`${called.method} ${called.path}\``);
  });
});

test('every tool that an operation declares is in the table, once', () => {
  const declared = apiRows.flatMap((each) => each.operation.tools ?? []).map(({ name }) => name);
  expect(tools.map(({ name }) => name).toSorted()).toEqual(declared.toSorted());
});

test('scopes name tools that somebody can allow', () => {
  for (const tool of tools)
    expect(readToolScopes(tools, toToolScope(tool))).toEqual(isPublicTool(tool) ? [] : [tool]);
  expect(readToolScopes(tools, 'offline_access tool: tool:read_everything tool:list_traits')).toEqual([]);
  expect(listToolsForRole(tools, 'platform_admin')).toEqual([]);
  expect(listToolsForRole(tools, 'auditor').every(({ kind }) => kind === 'read')).toBe(true);
});

test('the instructions for models name only tools that exist', () => {
  const names: ReadonlySet<string> = new Set(tools.map(({ name }) => name));
  const named = instructions
    .match(/\b[a-z]+_[a-z_]+\b/g)!
    .filter((word) => word !== 'what_to_do' && word !== 'query_');
  expect(named.filter((name) => !names.has(name))).toEqual([]);
});
