import assert from 'node:assert/strict';
import { scrubText } from '../../../../../src/integrated/digest/scrub/value-patterns.ts';

const F = '[Filtered]';

describe('values within string literals of source lines', () => {
  const source = (text: string) => scrubText(text, () => 'plain', 'source');
  for (const [text, expected] of [
    ['os.system("PGPASSWORD=hunter2 psql -h db")', `os.system("PGPASSWORD=${F} psql -h db")`],
    ["conn = 'Server=db;Password=hunter2;Timeout=3'", `conn = 'Server=db;Password=${F};Timeout=3'`],
    ['var c = @"Server=db;Pwd=hunter2', `var c = @"Server=db;Pwd=${F}`],
    ['run(`backup --password=hunter2 --verbose`)', `run(\`backup --password=${F} --verbose\`)`],
    ['run("backup --token=hunter2 -v\\n")', `run("backup --token=${F} -v\\n")`],
    ['curl(\'-H "PRIVATE-TOKEN: abc123def"\')', `curl('-H "PRIVATE-TOKEN: ${F}"')`],
    ['send(b"Authorization: Bearer abcdefgh\\r\\n")', `send(b"Authorization: Bearer ${F}")`],
    ["'Authorization' => 'Basic dXNlcjpwYXNz',", `'Authorization' => 'Basic ${F}',`],
    ['headers["Authorization"] = "Basic dXNlcjpwYXNz"', `headers["Authorization"] = "Basic ${F}"`],
    ["set('Authorization', 'Token dXNlcjpwYXNz')", `set('Authorization', 'Token ${F}')`],
    ['x = "a \\" password=hunter2"', `x = "a \\" password=${F}"`],
    ["// don't log 'password=hunter2'", `// don't log 'password=${F}'`],
    ['const a = "//user:pass@host/x";', `const a = "//${F}@host/x";`],
  ] as const) {
    it(`${text} is scrubbed`, () => assert.equal(source(text), expected));
  }
  for (const text of [
    'password = getPassword()',
    'connect(user="x", password=password, host="db")',
    'x["password"]=y; z["token"] = token1',
    "// don't pass password=hunter2 here",
    'cmd = "mysql --password=" + password1',
    '"https://h/login?x=1&password=" + encode(a) + "&b="',
    'f"Password={password};" + "api_key=%s" % key',
    '"UPDATE u SET password=? WHERE password=$1 AND password=:password AND password=@old"',
    '"ON a.access_token=b.token AND u.password=p.password"',
    '"SET password=crypt(x)"',
    "r'password=.*' + 'password=(\\w+)' + 'password=\\S+'",
    'h = f"Authorization: Bearer {token}"',
    'h = "Authorization: Bearer ${token}" + "Authorization: Bearer %s"',
    'h["Authorization"] = "Bearer " + token',
    ".option('--token <token>', 'the token').option('--password=PASSWORD')",
    '"--password=$PASSWORD --password=%s --password={x}"',
  ]) {
    it(`${text} stays`, () => assert.equal(source(text), text));
  }
  it('a wrongly closed literal does not protect a value', () => {
    assert.equal(source('the end" + connect(password="hunter2")'), `the end" + connect(password="${F}")`);
  });
});
