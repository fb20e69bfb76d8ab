import type { RawEvent } from '../../pair.ts';
import { type Failure, failing, type Fields, type Frame } from '../event.ts';

export const frame = (
  path: string,
  name: string | null,
  lineno: number,
  inApp: boolean,
  root: string,
  line?: string,
): Frame => ({
  filename: `/${path}`,
  abs_path: `${root}/${path}`,
  function: name,
  raw_function: name,
  lineno,
  in_app: inApp,
  ...(line === undefined ? {} : { context_line: line }),
});

export const app = (path: string, name: string | null, lineno: number, line?: string, root = '/var/www/html'): Frame =>
  frame(path, name, lineno, true, root, line);

export const vendor = (path: string, name: string, lineno: number, root = '/var/www/html'): Frame =>
  frame(`vendor/${path}`, name, lineno, false, root);

export const php = (failures: readonly Failure[], sdk = 'laravel@4.9.0', more: Fields = {}): RawEvent => {
  const [name = '', version = ''] = sdk.split('@');
  return failing('php', [`sentry.php.${name}`, version], failures, more);
};

export const unhandled = { type: 'generic', handled: false };

export const laravel10 = [
  vendor(
    'laravel/framework/src/Illuminate/Foundation/Http/Kernel.php',
    'Illuminate\\Foundation\\Http\\Kernel::handle',
    145,
  ),
  vendor('laravel/framework/src/Illuminate/Pipeline/Pipeline.php', 'Illuminate\\Pipeline\\Pipeline::then', 119),
  vendor('laravel/framework/src/Illuminate/Routing/Controller.php', 'Illuminate\\Routing\\Controller::callAction', 54),
];

export const laravel11 = [
  vendor(
    'laravel/framework/src/Illuminate/Foundation/Application.php',
    'Illuminate\\Foundation\\Application::handleRequest',
    1190,
  ),
  vendor('laravel/framework/src/Illuminate/Pipeline/Pipeline.php', 'Illuminate\\Pipeline\\Pipeline::then', 126),
  vendor(
    'laravel/framework/src/Illuminate/Pipeline/Pipeline.php',
    'Illuminate\\Pipeline\\Pipeline::Illuminate\\Pipeline\\{closure}',
    208,
  ),
  vendor(
    'laravel/framework/src/Illuminate/Routing/ControllerDispatcher.php',
    'Illuminate\\Routing\\ControllerDispatcher::dispatch',
    46,
  ),
];
