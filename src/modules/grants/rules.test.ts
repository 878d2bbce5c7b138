import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentTools, listToolsForRole } from '#lib/agent-tools.ts';
import { roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { decideTerms, hasSpendingTool, removeTool } from './rules.ts';

const names = agentTools.map(({ name }) => name as string);
const someNames = fc.uniqueArray(fc.constantFrom(...names, 'no_such_tool'));

test('no decision grants more than was asked for, ticked and open to the role, or lets an agent spend without a limit', () => {
  const decision = fc.record({
    role: fc.constantFrom(...roles),
    asked: someNames,
    allowed: someNames,
    spend_cap: fc.option(fc.bigInt({ min: 1n, max: 10_000_000_000n })),
  });
  fc.assert(
    fc.property(decision, (each) => {
      const mayAllow = listToolsForRole(each.role).map(({ name }) => name as string);
      const offered = mayAllow.filter((name) => each.asked.includes(name));
      const isOffered = each.allowed.length > 0 && each.allowed.every((name) => offered.includes(name));
      const isValid = isOffered && !(hasSpendingTool(each.allowed) && each.spend_cap === null);
      const terms = isValid ? decideTerms(each) : undefined;
      if (!terms) return void expect(() => decideTerms(each)).toThrow(Refusal);
      expect(terms.tools.toSorted()).toEqual(each.allowed.toSorted());
      expect([...terms.tools, ...terms.refused_tools].toSorted()).toEqual(offered.toSorted());
      expect(terms.spend_cap !== null).toBe(hasSpendingTool(terms.tools));
    }),
  );
});

test('taking tools away one by one ends at nothing, and loses no name', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }), (tools) => {
      const full = { tools, refused_tools: [], spend_cap: 5n };
      const empty = tools.reduce(
        (terms, tool) => removeTool(terms, tool),
        full as Parameters<typeof removeTool>[0],
      );
      expect(empty).toEqual({ tools: [], refused_tools: tools, spend_cap: null });
    }),
  );
});
