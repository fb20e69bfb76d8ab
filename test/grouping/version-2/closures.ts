import { different, same } from '../pair.ts';
import { php } from '../shapes/php.ts';

const thrown = (name: string, code = 'throw new LogicException();', file = 'Shop.php', outer = 'App\\Kernel::run') =>
  php({
    type: 'LogicException',
    value: 'no stock',
    stack: `${name} /var/www/html/src/${file}:12 | ${code}\n${outer} /var/www/html/src/Kernel.php:4 | $this->go();`,
  });

/** C3: closures of PHP of one place, as its versions name them. */
export const closurePairs = [
  same('a bare closure and one of PHP 8.4', thrown('{closure}'), thrown('{closure:Shop::go():12}')),
  same('with the class before it', thrown('Shop::{closure}'), thrown('Shop::{closure:Shop::go():12}')),
  same('a closure with and without its class', thrown('{closure}'), thrown('App\\Shop::{closure:App\\Shop::go():12}')),
  same('of a namespace', thrown('App\\Shop::App\\{closure}'), thrown('App\\Shop::{closure:App\\Shop::go():31}')),
  same('of a function', thrown('App\\{closure}'), thrown('{closure:App\\go():12}')),
  same('of a file', thrown('{closure}'), thrown('{closure:/var/www/html/src/Shop.php:12}')),
  same('nested', thrown('Shop::{closure}'), thrown('Shop::{closure:{closure:Shop::go():12}:13}')),
  same(
    'called by another closure',
    thrown('Shop::add', 'throw new LogicException();', 'Shop.php', 'App\\Kernel::App\\{closure}'),
    thrown('Shop::add', 'throw new LogicException();', 'Shop.php', '{closure:App\\Kernel::boot():3}'),
  ),
  same('bound to another class', thrown('Illuminate\\Routing\\Router::{closure}'), thrown('App\\Shop::{closure}')),
  different(
    'of two source lines',
    thrown('Shop::{closure}', '$cart->add($item);'),
    thrown('{closure:Shop::go():12}', '$cart->pay();'),
  ),
  different(
    'of two files',
    thrown('{closure}'),
    thrown('{closure:Shop::go():12}', 'throw new LogicException();', 'Cart.php'),
  ),
  different('a closure and a method', thrown('{closure:Shop::go():12}'), thrown('Shop::go')),
];
