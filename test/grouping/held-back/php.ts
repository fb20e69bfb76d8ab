import { different, same } from '../pair.ts';
import { php } from '../shapes/php.ts';

const command = String.raw`
  App\Report\Builder::build /var/www/html/src/Report/Builder.php:30
  App\Command\ReportCommand::execute /var/www/html/src/Command/ReportCommand.php:18
  Symfony\Component\Console\Command\Command::run /var/www/html/vendor/symfony/console/Command/Command.php:312`;

export const phpPairs = [
  same(
    'a cached template of another name',
    php({
      type: 'ErrorException',
      value: 'Undefined variable $user',
      stack: `
        - /var/www/html/storage/framework/views/0c1b2a3948576d6f7e8d9cabb1c2d3e4f5061728.php:12 | <?php echo e($user->name); ?>
        App\\Http\\HomeController::show /var/www/html/src/Http/HomeController.php:9`,
    }),
    php({
      type: 'ErrorException',
      value: 'Undefined variable $user',
      stack: `
        - /var/www/html/storage/framework/views/9f8e7d6c5b4a39281706f5e4d3c2b1a0fedcba98.php:14 | <?php echo e($user->name); ?>
        App\\Http\\HomeController::show /var/www/html/src/Http/HomeController.php:9`,
    }),
  ),
  same(
    'closures of middleware in another number',
    php({
      type: 'DomainException',
      value: 'tenant 12 is suspended',
      stack: String.raw`
        App\Tenant::check /var/www/html/src/Tenant.php:8
        App\Http\TenantMiddleware::handle /var/www/html/src/Http/TenantMiddleware.php:14
        Illuminate\Pipeline\Pipeline::Illuminate\Pipeline\{closure} /var/www/html/vendor/laravel/framework/src/Illuminate/Pipeline/Pipeline.php:183`,
    }),
    php({
      type: 'DomainException',
      value: 'tenant 830 is suspended',
      stack: String.raw`
        App\Tenant::check /var/www/html/src/Tenant.php:8
        App\Http\TenantMiddleware::handle /var/www/html/src/Http/TenantMiddleware.php:14
        Illuminate\Pipeline\Pipeline::{closure:{closure:Illuminate\Pipeline\Pipeline::carry():184}:185} /var/www/html/vendor/laravel/framework/src/Illuminate/Pipeline/Pipeline.php:209
        Illuminate\Pipeline\Pipeline::{closure:{closure:Illuminate\Pipeline\Pipeline::carry():184}:185} /var/www/html/vendor/laravel/framework/src/Illuminate/Pipeline/Pipeline.php:209`,
    }),
  ),
  different(
    'two exceptions from one place',
    php({ type: 'App\\Report\\EmptyReport', value: 'nothing', stack: command }),
    php({ type: 'App\\Report\\TooLarge', value: 'nothing', stack: command }),
  ),
  different(
    'another command of one builder',
    php({ type: 'RuntimeException', value: 'no rows', stack: command }),
    php({ type: 'RuntimeException', value: 'no rows', stack: command.replaceAll('ReportCommand', 'ExportCommand') }),
  ),
  same(
    'a fatal error names the memory it wanted, no stack',
    php({
      type: 'ErrorException',
      value: 'Error: Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes)',
    }),
    php({
      type: 'ErrorException',
      value: 'Error: Allowed memory size of 268435456 bytes exhausted (tried to allocate 4096 bytes)',
    }),
  ),
];
