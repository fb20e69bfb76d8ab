import type { RawEvent } from '../../pair.ts';
import { type Failure, failing, type Fields, type Frame } from '../event.ts';

export const app = (path: string, name: string, lineno: number, line: string, root = '/app'): Frame => ({
  project_root: root,
  abs_path: `${root}/${path}`,
  filename: path.replace(/^(app\/\w+|lib)\//, ''),
  function: name,
  lineno,
  context_line: `${line}\n`,
  in_app: true,
});

/** The frame as Ruby 3.4 labels it: the class is part of the label, and the SDK splits it off. */
export const labelled = (frame: Frame, module: string): Frame => ({ ...frame, module });

export const gem = (path: string, name: string, lineno: number, ruby = '3.3.0'): Frame => ({
  project_root: '/app',
  abs_path: `/usr/local/bundle/ruby/${ruby}/gems/${path}`,
  filename: path.replace(/^[^/]+\/(lib\/)?/, ''),
  function: name,
  lineno,
  in_app: false,
});

export const ruby = (failures: readonly Failure[], version = '5.21.0', more: Fields = {}): RawEvent =>
  failing('ruby', ['sentry.ruby.rails', version], failures, more);

export const rails = { type: 'rails', handled: false };

export const sidekiq = { type: 'sidekiq', handled: false };

export const rails71 = [
  gem('rack-3.0.11/lib/rack/events.rb', 'call', 110),
  gem('actionpack-7.1.4/lib/abstract_controller/callbacks.rb', 'block in process_action', 234),
  gem('actionpack-7.1.4/lib/action_controller/metal/basic_implicit_render.rb', 'send_action', 6),
];

export const rails80 = [
  gem('rack-3.1.8/lib/rack/events.rb', 'call', 107, '3.4.0'),
  gem('actionpack-8.0.0/lib/action_controller/metal/instrumentation.rb', 'block in process_action', 76, '3.4.0'),
  gem('actionpack-8.0.0/lib/abstract_controller/callbacks.rb', 'block in process_action', 261, '3.4.0'),
  gem('actionpack-8.0.0/lib/action_controller/metal/basic_implicit_render.rb', 'send_action', 8, '3.4.0'),
];

export const worker = [
  gem('sidekiq-7.3.5/lib/sidekiq/processor.rb', 'block in process', 220),
  gem('sidekiq-7.3.5/lib/sidekiq/processor.rb', 'execute_job', 252),
];
