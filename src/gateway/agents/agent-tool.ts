import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { Principal } from '../../auth/principal.ts';
import type { AccessToken } from '../../domain/projects/account.ts';
import type { AnyCall } from '../http/route.ts';
import type { FinishedAnswer } from './texts/agent-answer.ts';

/** Request of an agent: its token names the user. */
export interface AgentCall extends AnyCall {
  readonly principal: Principal & { readonly token: AccessToken };
}

interface ToolText {
  /** Name, which agents know: it stays. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Members of `structuredContent`, beside those of every answer. */
  readonly output: Readonly<Record<string, object>>;
  /** True: it changes something. */
  readonly writes?: true;
}

/** What a tool is asked for: every member is optional but those that the schema requires. */
export interface ArgumentsSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export interface AgentTool extends ToolText {
  readonly input: ArgumentsSchema;
  /** Throws `AppError` for what cannot be answered; the agent gets its message. */
  run(call: AgentCall, given: unknown): Promise<FinishedAnswer>;
}

/** Declares a tool. Its arguments are checked against `input` before `run`. */
export function agentTool<const S extends ArgumentsSchema>(
  tool: ToolText & {
    readonly input: S;
    run(call: AgentCall, given: S extends JSONSchema ? FromSchema<S> : never): Promise<FinishedAnswer>;
  },
): AgentTool {
  return { ...tool, run: (call, given) => tool.run(call, given as never) };
}
