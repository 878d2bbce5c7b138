import { Refusal } from '#lib/refusal.ts';
import { toRefusal } from '#platform/http/problem.ts';
import { buildRowSteps, type RowSteps } from '#platform/http/row-steps.ts';
import { buildInputParser } from '#platform/http/input/parse-input.ts';
import type { Row } from '#platform/http/row.ts';
import type { Platform } from '#platform/platform.ts';
import { decideAccess } from './access.ts';
import { describeProblem } from './describe-problem.ts';
import { buildPaymentDemand, readReceipt, takePayment } from './payments.ts';
import type { CallTool, ToolCall, ToolOutcome } from './tool-call.ts';
import type { ToolRow } from './tool-row.ts';
import { selectArguments } from './write-tool.ts';

/** The JSON-RPC code for what is not the caller's fault. */
const internal_error = -32_603;

/**
 * Prepares the calls of a tool. A tool has no other way to data than its operation: role, arguments and reply are checked as over HTTP, so it
 * can show nothing that the API would refuse to the same caller.
 */
export function createToolCalls(platform: Platform, row: ToolRow): CallTool {
  const steps = buildToolSteps(platform, row);
  const { log } = platform;
  return async (call) => {
    try {
      return await runTool(row, steps, call);
    } catch (error) {
      const refusal = toRefusal(error);
      const { id } = call.facts;
      if (refusal.status === 402 && refusal.extras.fields)
        return buildPaymentDemand(refusal, refusal.extras.fields, call);
      const problem = describeProblem(platform, refusal, id);
      if (refusal.status < 500 || refusal.status === 503) return buildProblemResult(problem);
      log.error({ request_id: id, err: error }, refusal.code);
      const { message, ...data } = problem;
      return { kind: 'error', error: { code: internal_error, message, data }, outcome: 'failed' };
    }
  };
}

/** The steps of the tool's operation; `parse` reads its arguments. */
function buildToolSteps(platform: Platform, row: ToolRow): RowSteps {
  const { operation, tool } = row;
  const { fixed } = tool;
  const called: Row = { method: 'POST', path: `mcp:${tool.name}`, access: 'jwt', operation, options: {} };
  const schema = selectArguments(row);
  const rules = { schema, checks: operation.checks, ...(fixed && { fixed }) };
  return {
    ...buildRowSteps(platform, called, operation),
    parse: buildInputParser(platform, called, rules),
  };
}

async function runTool({ tool, operation }: ToolRow, steps: RowSteps, call: ToolCall): Promise<ToolOutcome> {
  const { caller } = call;
  const access = decideAccess(tool, caller);
  if (access === 'wrong_role') throw new Refusal('role_not_allowed');
  if (access === 'sign_in') throw new Refusal('authentication_required');
  if (access !== 'allowed') throw new Refusal('tool_not_granted');
  steps.checkCaller({ caller, tool: tool.name });
  const { fields, sent } = operation.takes_payment
    ? takePayment(tool.name, call)
    : { fields: call.arguments, sent: {} };
  const input = await steps.parse({ params: {}, query: {}, body: fields }, caller);
  const facts = { ...call.facts, payment: sent };
  const { content, receipt } = await steps.run({ caller, facts, input });
  // The operations of tools reply with JSON, which the guard has written.
  const json = content as string;
  const meta = receipt && readReceipt(receipt);
  return {
    kind: 'result',
    members: `"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}`,
    ...(meta && { meta }),
    outcome: 'succeeded',
  };
}

/**
 * A refusal is a result that the model reads, and not an error of the protocol, which only its client would see. It has no structured
 * content, because that would have to match the tool's output schema.
 */
function buildProblemResult(problem: object): ToolOutcome {
  const text = JSON.stringify(problem);
  return {
    kind: 'result',
    members: `"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true`,
    outcome: 'refused',
  };
}
