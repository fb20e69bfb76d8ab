import { buildOnce } from '../../support/cli-process.ts';
import { useCliSandbox } from '../../support/cli-sandbox.ts';
import { eventually, startServiceProcess } from '../../support/service-process.ts';

describe('errgate serve after projects came before the first start', function () {
  this.timeout(120_000);
  const sandbox = useCliSandbox();
  before(() => buildOnce());

  it('says how to create a user', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'team/app');
    const service = await startServiceProcess(errgate.dataDir, { ERRGATE_MIN_FREE_DISK: '1' });
    try {
      const says = (log: string): boolean => /no user yet.*errgate user create root --admin/.test(log);
      await eventually(async () => service.log(), says);
      await errgate.done('user', 'create', 'root', '--admin');
    } finally {
      await service.end('SIGKILL');
    }
  });
});
