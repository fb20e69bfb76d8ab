import type { FromSchema } from 'json-schema-to-ts';
import { compileParameters, type ParametersSchema } from '../../schemas/parameters.ts';

const text = (description: string, maxLength = 255) => ({ type: 'string', maxLength, description }) as const;

const attributesSchema = {
  type: 'object',
  properties: {
    enabled: { type: 'boolean', description: 'Whether error tracking is enabled' },
    integrated: { type: 'boolean', description: 'true: the integrated backend, false: an external tracker' },
    api_host: { ...text('Address of the tracker', 1024), 'x-label': 'Api url' },
    token: { ...text('Token of the tracker; only `*` keeps the stored one', 4096), 'x-label': 'Token' },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

const projectSchema = {
  type: 'object',
  properties: {
    slug: text('Slug of the project in the tracker'),
    name: text('Name of the project'),
    organization_slug: text('Slug of its organization'),
    organization_name: text('Name of its organization'),
    thirdparty_project_id: text('Id of the project in the tracker'),
    sentry_project_id: text('Former name of thirdparty_project_id'),
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

/** Body of the settings form, for the documentation; `readOperations` parses it. */
export const operationsBodySchema = {
  title: 'OperationsForm',
  type: 'object',
  properties: {
    project: {
      type: 'object',
      properties: {
        error_tracking_setting_attributes: {
          ...attributesSchema,
          properties: { ...attributesSchema.properties, project: projectSchema },
        },
      },
      required: ['error_tracking_setting_attributes'],
    },
  },
  required: ['project'],
} as const;

export const operationsAnswerSchema = {
  title: 'OperationsResult',
  type: 'object',
  properties: { status: { enum: ['success', 'error'] }, message: { type: 'string' } },
  required: ['status'],
  additionalProperties: false,
} as const;

type Attributes = Readonly<FromSchema<typeof attributesSchema>>;
type ProjectAttributes = Readonly<FromSchema<typeof projectSchema>>;

export interface OperationsForm {
  readonly attributes: Attributes;
  /** Null: the request has no member about the project. */
  readonly project: ProjectAttributes | null;
  /** True: the request has members besides the two switches, blank or not. */
  readonly whole: boolean;
}

export type OperationsResult =
  { readonly ok: true; readonly form: OperationsForm } | { readonly ok: false; readonly problems: readonly string[] };

const readAttributes = compileParameters<Attributes>(attributesSchema);
const readProject = compileParameters<ProjectAttributes>(projectSchema);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads `{"project":{"error_tracking_setting_attributes":{…}}}`, the parameters of a request. */
export function readOperations(given: Readonly<Record<string, unknown>>): OperationsResult {
  const attributes = isObject(given.project) ? given.project.error_tracking_setting_attributes : undefined;
  if (!isObject(attributes)) {
    return { ok: false, problems: ['project[error_tracking_setting_attributes] is missing'] };
  }
  const chosen = isObject(attributes.project) ? attributes.project : {};
  const read = readAttributes(attributes);
  const project = readProject(chosen);
  if (!read.ok || !project.ok) {
    const inProject = project.ok ? [] : project.problems.map((problem) => `project ${problem}`);
    return { ok: false, problems: [...(read.ok ? [] : read.problems), ...inProject] };
  }
  const whole = ['api_host', 'token', 'project'].some((name) => name in attributes);
  return {
    ok: true,
    form: { attributes: read.value, project: isObject(attributes.project) ? project.value : null, whole },
  };
}
