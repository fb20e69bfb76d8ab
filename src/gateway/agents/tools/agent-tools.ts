import type { AgentTool } from '../agent-tool.ts';
import { compareReleases } from './compare-releases.ts';
import { getError } from './get-error.ts';
import { getEvent } from './get-event.ts';
import { getStackTrace } from './get-stack-trace.ts';
import { howToConnect } from './how-to-connect.ts';
import { listErrors } from './list-errors.ts';
import { listEvents } from './list-events.ts';
import { listProjects } from './list-projects.ts';
import { listReleases } from './list-releases.ts';
import { updateErrorStatus } from './update-error-status.ts';
import { whoami } from './whoami.ts';

/** All tools, whatever the token may do: an agent learns from a refusal what is missing. */
export const AGENT_TOOLS: readonly AgentTool[] = [
  whoami,
  listProjects,
  listErrors,
  getError,
  getStackTrace,
  listEvents,
  getEvent,
  listReleases,
  compareReleases,
  updateErrorStatus,
  howToConnect,
];
