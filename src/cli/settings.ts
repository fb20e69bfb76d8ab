import type { Command } from 'commander';
import type { Config } from '../../config/schema.ts';
import { entityOfProject, settingsValues, targetOf } from '../audit/shown-values.ts';
import { AppError } from '../domain/app-error.ts';
import { generatePublicKey } from '../domain/projects/dsn.ts';
import type { Project } from '../domain/projects/project.ts';
import { activationProblems, servedByIntegrated } from '../domain/projects/settings-rules.ts';
import { DEFAULT_SETTINGS, type TrackingSettings } from '../domain/projects/tracking-settings.ts';
import { parseSwitch } from './call/arguments.ts';
import { findProject } from './call/lookup.ts';
import { reference, withOperands } from './call/operands.ts';
import { printJson, printLine } from './call/output.ts';
import { type Session, withStore } from './people/session.ts';

interface SetOptions {
  readonly active?: boolean;
  readonly integrated?: boolean;
  readonly json?: boolean;
}

/**
 * Returns the same members as the API. With the integrated backend the tracker's fields are hidden; they stay stored.
 */
function settingsJson(settings: TrackingSettings, config: Config) {
  const apiUrl = settings.integrated ? null : settings.apiUrl;
  return {
    active: settings.active,
    project_name: settings.integrated ? null : settings.projectName,
    thirdparty_external_url: apiUrl?.replace('api/0/projects/', '') ?? null,
    api_url: apiUrl,
    integrated: servedByIntegrated(settings, config.integrated.enabled),
  };
}

function report(project: Project, settings: TrackingSettings, config: Config, json: boolean | undefined): void {
  const shown = settingsJson(settings, config);
  if (json === true) {
    printJson(shown);
    return;
  }
  printLine(`error tracking of ${project.path}: ${shown.active ? 'active' : 'not active'}`);
  printLine(`backend: ${shown.integrated ? 'integrated' : `third-party, ${shown.api_url ?? 'not connected'}`}`);
}

/** The rules of the API. */
function checkRules(settings: TrackingSettings, options: SetOptions, config: Config): void {
  if (options.integrated === true && !config.integrated.enabled) {
    const advice = 'set ERRGATE_INTEGRATED_ENABLED=true to offer it';
    throw new AppError('integrated_not_offered', `the integrated backend is not offered here; ${advice}`);
  }
  const problems = activationProblems(settings);
  if (problems.length === 0) return;
  const advice = 'connect a third-party tracker first, or use --integrated on';
  throw new AppError('invalid_parameter', `${problems.join(', ')}: ${advice}`);
}

async function applySettings({ store, config, audit }: Session, project: Project, options: SetOptions): Promise<void> {
  const current = (await store.settings(project.id)) ?? { projectId: project.id, ...DEFAULT_SETTINGS };
  const patch = {
    ...(options.active !== undefined && { active: options.active }),
    ...(options.integrated !== undefined && { integrated: options.integrated }),
  };
  checkRules({ ...current, ...patch }, options, config);
  const saved = await audit.change(
    {
      event: 'settings_changed',
      entity: entityOfProject(project),
      target: targetOf('Error tracking settings', project.id, project.path),
      before: settingsValues(current),
    },
    async () => {
      const made = await store.saveSettings(project.id, patch);
      if (made.active && made.integrated) await store.ensureActiveKey(project.id, generatePublicKey());
      return made;
    },
    (made) => ({ after: settingsValues(made) }),
  );
  report(project, saved, config, options.json);
}

async function showSettings(projectReference: string, options: { json?: boolean }): Promise<void> {
  await withStore(async ({ config, store }) => {
    const project = await findProject(store, projectReference);
    const found = await store.settings(project.id);
    if (found === null) {
      const advice = `\`errgate settings set ${project.path} --active on --integrated on\` creates them`;
      throw new AppError('settings_not_found', `${project.path} has no error tracking settings yet; ${advice}`);
    }
    report(project, found, config, options.json);
  });
}

export function addSettingsCommands(program: Command): void {
  const settings = program.command('settings').description('error tracking settings of a project');

  withOperands(
    settings.command('show').description('show the settings').option('--json', 'print JSON'),
    { project: reference('id or path') },
    (values, options: { json?: boolean }) => showSettings(values.project, options),
  );

  const set = settings
    .command('set')
    .description('change the settings; a client key is created when none is active')
    .option('--active <on|off>', 'whether errors are tracked', parseSwitch)
    .option('--integrated <on|off>', 'on: stored here; off: read from a third-party tracker', parseSwitch)
    .option('--json', 'print JSON');
  withOperands(set, { project: reference('id or path') }, async (values, options: SetOptions, command) => {
    if (options.active === undefined && options.integrated === undefined) {
      command.error('error: name --active, --integrated or both');
    }
    await withStore(async (session) =>
      applySettings(session, await findProject(session.store, values.project), options),
    );
  });
}
