import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roles, type Role } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { listToolsForRole } from '#lib/tool.ts';
import { tools as registry } from '#test/tools.ts';
import { decideTerms, hasSpendingTool, isScopeAsked, removeTool } from './rules.ts';

const names = registry.map(({ name }) => name);
const someNames = fc.uniqueArray(fc.constantFrom(...names, 'no_such_tool'));

const listOffered = (role: Role, asked: readonly string[]) =>
  listToolsForRole(registry, role).flatMap(({ name }) => (asked.includes(name) ? [name] : []));

const spendCap = fc.bigInt({ min: 1n, max: 10_000_000_000n });

/** Decisions that allow some of what was asked for and is open to the role, with a limit if they let an agent spend. */
const goodDecisions = fc
  .record({
    role: fc.constantFrom('member', 'org_admin' as const),
    asked: fc.shuffledSubarray(names, { minLength: 1 }),
  })
  .filter(({ role, asked }) => listOffered(role, asked).length > 0)
  .chain((request) =>
    fc.record({
      role: fc.constant(request.role),
      asked: fc.constant(request.asked),
      allowed: fc.shuffledSubarray(listOffered(request.role, request.asked), { minLength: 1 }),
      spend_cap: spendCap,
    }),
  );

test('a decision grants what was ticked and refuses the rest of what was asked for', () => {
  fc.assert(
    fc.property(goodDecisions, (decision) => {
      const terms = decideTerms(registry, decision);
      expect(terms.tools.toSorted()).toEqual(decision.allowed.toSorted());
      expect([...terms.tools, ...terms.refused_tools].toSorted()).toEqual(
        listOffered(decision.role, decision.asked).toSorted(),
      );
      expect(terms.spend_cap !== null).toBe(hasSpendingTool(registry, terms.tools));
    }),
  );
});

test('no decision grants more than was asked for and is open to the role', () => {
  const decisions = fc.record({
    role: fc.constantFrom(...roles),
    asked: someNames,
    allowed: someNames,
    spend_cap: fc.option(spendCap),
  });
  fc.assert(
    fc.property(decisions, (decision) => {
      const offered = listOffered(decision.role, decision.asked);
      fc.pre(decision.allowed.length === 0 || decision.allowed.some((name) => !offered.includes(name)));
      expect(() => decideTerms(registry, decision)).toThrow(Refusal);
    }),
  );
});

test('no decision lets an agent spend without a limit', () => {
  fc.assert(
    fc.property(
      goodDecisions.filter(({ allowed }) => hasSpendingTool(registry, allowed)),
      (decision) => {
        expect(() => decideTerms(registry, { ...decision, spend_cap: null })).toThrow(Refusal);
      },
    ),
  );
});

test('taking tools away one by one ends at nothing, and loses no name', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }), (tools) => {
      const full = { tools, refused_tools: [], spend_cap: 5n };
      const empty = tools.reduce(
        (terms, tool) => removeTool(registry, terms, tool),
        full as Parameters<typeof removeTool>[1],
      );
      expect(empty).toEqual({ tools: [], refused_tools: tools, spend_cap: null });
    }),
  );
});

test('an agent has ten seconds to answer that a tool needs a wider consent', () => {
  const asked = new Date('2026-03-02T09:00:00Z');
  const isAskedAfter = (ms: number) =>
    isScopeAsked({ scope_asked_at: asked }, new Date(asked.getTime() + ms));
  expect(isScopeAsked({ scope_asked_at: null }, asked)).toBe(false);
  expect([0, 9_999, 10_000].map(isAskedAfter)).toEqual([true, true, false]);
});
