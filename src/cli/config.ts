import type { Command } from 'commander';
import { printJson } from './call/output.ts';
import { readConfig } from './people/session.ts';

export function addConfigCommands(program: Command): void {
  const config = program.command('config').description('the effective configuration');

  config
    .command('show')
    .description('print the configuration from files and environment as JSON, secrets masked')
    .action(async () => {
      const { maskedConfig } = await import('../../config/load.ts');
      printJson(maskedConfig(await readConfig()));
    });
}
