import { Command, CommanderError } from 'commander';
import { AppError } from '../domain/app-error.ts';
import { addAlertCommands } from './alert.ts';
import { addArtifactCommands } from './artifact.ts';
import { addAuditCommands } from './audit.ts';
import { addConfigCommands } from './config.ts';
import { addBackupCommands } from './backup.ts';
import { addCopyStoreCommand } from './copy-store.ts';
import { addCompareCommand } from './compare.ts';
import { addDoctorCommand } from './doctor/doctor.ts';
import {
  endWith,
  EXIT,
  type ExitCode,
  invoke,
  invokeAlone,
  type Surroundings,
  surroundings,
} from './call/invocation.ts';
import { addGroupCommands } from './people/group.ts';
import { addImportCommands } from './import/import-commands.ts';
import { addExportCommand } from './export.ts';
import { addForwardCommands } from './forward.ts';
import { addJournalCommands } from './journal.ts';
import { addKeyCommands } from './key.ts';
import { addInvitationCommands } from './people/invitation.ts';
import { addMemberCommands } from './people/member.ts';
import { addMigrateCommand } from './migrate.ts';
import { printWarning } from './call/output.ts';
import { addProjectCommands } from './project.ts';
import { addPruneCommand } from './prune.ts';
import { addQuarantineCommands } from './quarantine.ts';
import { addSecretsCommands } from './secrets.ts';
import { addSendTestEventCommand } from './send-test-event.ts';
import { addServeCommand } from './serve.ts';
import { readConfig } from './people/session.ts';
import { addSettingsCommands } from './settings.ts';
import { addTokenCommands } from './people/token.ts';
import { addUserCommands } from './people/user.ts';
import { packageVersion } from './version.ts';

/** Characters in a line of the help where no terminal has a width. */
const HELP_WIDTH = 80;

export function createProgram(): Command {
  const { stdout, stderr } = surroundings();
  const program = new Command('errgate')
    .description('Error-tracking gateway. Without a command: serve.')
    .version(packageVersion(), '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? HELP_WIDTH,
      getErrHelpWidth: () => stderr.columns ?? HELP_WIDTH,
    })
    // Operands that may be given by name too are optional for commander, but not for people.
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` })
    .showHelpAfterError('(--help shows the usage)');
  addServeCommand(program);
  addUserCommands(program);
  addProjectCommands(program);
  addGroupCommands(program);
  addMemberCommands(program);
  addInvitationCommands(program);
  addTokenCommands(program);
  addKeyCommands(program);
  addArtifactCommands(program);
  addSettingsCommands(program);
  addForwardCommands(program);
  addAlertCommands(program);
  addAuditCommands(program);
  addSendTestEventCommand(program);
  addDoctorCommand(program);
  addPruneCommand(program);
  addBackupCommands(program);
  addMigrateCommand(program);
  addCopyStoreCommand(program);
  addImportCommands(program);
  addCompareCommand(program);
  addExportCommand(program);
  addJournalCommands(program);
  addQuarantineCommands(program);
  addSecretsCommands(program);
  addConfigCommands(program);
  return program;
}

/**
 * Runs one command to its end and answers its exit code; never throws. `args` are the arguments without node and
 * script. Of the process itself only `serve` uses something: it logs to its standard error.
 */
export function runCli(args: readonly string[], given: Surroundings): Promise<ExitCode> {
  return invoke(given, () => runCommand(args));
}

/** Same as `runCli`, for the only call of a process. */
export function runProcess(args: readonly string[], given: Surroundings): Promise<ExitCode> {
  return invokeAlone(given, () => runCommand(args));
}

async function runCommand(args: readonly string[]): Promise<void> {
  try {
    // Instead of commander's default command, which would take a mistyped command for an argument of `serve`.
    await createProgram().parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' });
  } catch (error) {
    // Commander has printed its message already.
    if (error instanceof CommanderError) {
      endWith(error.exitCode === 0 ? EXIT.done : EXIT.usage);
      return;
    }
    endWith(EXIT.failed);
    printWarning(await describe(error));
  }
}

const INTERNAL = 'an internal error, nothing was done by the failed step; please report it with the lines below';

/** One clear line; at log level debug, and for what is a fault of errgate itself, the place too. */
async function describe(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  const isInternal = error instanceof AppError && error.code === 'internal' && error.cause !== undefined;
  if (isInternal) return `${INTERNAL}\n${error.stack ?? ''}${causeOf(error)}`;
  const message = error instanceof AppError || error.message !== '' ? error.message : error.name;
  return (await wantsStack()) ? `${message}\n${error.stack ?? ''}${causeOf(error)}` : message;
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? `\ncaused by: ${error.cause.stack ?? error.cause.message}` : '';
}

async function wantsStack(): Promise<boolean> {
  try {
    const { level } = (await readConfig()).log;
    return level === 'debug' || level === 'trace';
  } catch {
    return false;
  }
}
