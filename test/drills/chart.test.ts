import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { BASE, EVERY_SECRET, ON_MONGODB, REFUSED, TAKEN } from '../support/chart-values.ts';
import { buildOnce } from '../support/cli-process.ts';
import { readRoot, ROOT } from '../support/doc-pages.ts';
import { suiteInFullRun } from '../support/full-run.ts';
import { CHART, objectsOf, renderChart, type KubernetesObject } from '../support/helm-chart.ts';

const helm = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' });
const template = (...args: string[]) => helm('template', ...args, '--kube-version', '1.31.0');
const LEAST = 'externalUrl=https://a.example,image.repository=a';

function rendered(values: object, ...options: string[]): ReadonlyMap<string, KubernetesObject> {
  const { status, text, stderr } = renderChart(values, ...options);
  assert.equal(status, 0, stderr);
  return objectsOf(text);
}

function object(objects: ReadonlyMap<string, KubernetesObject>, name: string): KubernetesObject {
  const found = objects.get(name);
  assert.ok(found !== undefined, `${name} is missing: ${[...objects.keys()].join(', ')}`);
  return found;
}

const podOf = (values: object): KubernetesObject =>
  object(rendered(values), 'StatefulSet errgate')['spec'].template.spec;

/** Variables of the gateway in a Pod, by name. */
function variablesOf(pod: KubernetesObject): Record<string, string> {
  const list = pod['containers'][0].env as { name: string; value: string }[];
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}

suiteInFullRun('the chart for Kubernetes, rendered by Helm', function () {
  this.timeout(120_000);
  let folder: string;
  before(function () {
    if (helm('version').error !== undefined) {
      console.log('      SKIPPED chart: helm is missing: go install helm.sh/helm/v3/cmd/helm@latest');
      this.skip();
    }
    folder = mkdtempSync(join(tmpdir(), 'errgate-chart-'));
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('has nothing that helm lint complains about', () => {
    const values = join(folder, 'lint.yaml');
    writeFileSync(values, JSON.stringify(BASE));
    const { status, stdout, stderr } = helm('lint', '--strict', '--values', values, CHART);
    assert.equal(status, 0, stdout + stderr);
    assert.doesNotMatch(stdout, /WARNING|ERROR/);
  });

  for (const [title, [values, message]] of Object.entries(REFUSED)) {
    it(`refuses ${title} and says what to do`, () => {
      const { status, stderr } = renderChart(values);
      assert.equal(status, 1);
      assert.match(stderr, message);
    });
  }

  it('makes objects that Kubernetes knows, whatever is set', function () {
    const files = Object.entries(TAKEN).map(([title, values], index) => {
      const { status, text, stderr } = renderChart(values);
      assert.equal(status, 0, `${title}: ${stderr}`);
      const file = join(folder, `${index}.yaml`);
      writeFileSync(file, text);
      return file;
    });
    for (const version of ['1.27', '1.37']) {
      const args = ['--strict', '--no-warn', '--kubernetes-version', version, ...files];
      const found = spawnSync('kubernetes-validate', args, { encoding: 'utf8' });
      if (found.error !== undefined) {
        console.log(
          '      SKIPPED objects of the chart: kubernetes-validate is missing: pip install kubernetes-validate',
        );
        this.skip();
      }
      assert.equal(found.status, 0, found.stdout + found.stderr);
      const passed = found.stdout.split('\n').filter((line) => line.includes(' passed ')).length;
      assert.ok(passed >= 6 * files.length, `${passed} objects: ${found.stdout}`);
    }
  });

  it('takes the values of docs/kubernetes.md', () => {
    const examples = [...readRoot('docs/kubernetes.md').matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => text);
    assert.ok(examples.length > 2);
    for (const text of examples) {
      const { status, stderr } = renderChart({ ...BASE, ...(parse(text) as object) });
      assert.equal(status, 0, `${text}\n${stderr}`);
    }
  });

  it('runs without rights, in every container', () => {
    for (const [title, values] of Object.entries(TAKEN)) {
      const objects = [...rendered(values).values()];
      const pods = objects.flatMap(({ kind, spec }) =>
        kind === 'Pod' ? [spec] : kind === 'StatefulSet' ? [spec.template.spec] : [],
      );
      assert.equal(pods.length, 2, title);
      for (const pod of pods as KubernetesObject[]) {
        assert.equal(pod['automountServiceAccountToken'], false, title);
        assert.equal(pod['enableServiceLinks'], false, title);
        assert.equal(pod['securityContext'].runAsNonRoot, true, title);
        assert.deepEqual(pod['securityContext'].seccompProfile, { type: 'RuntimeDefault' }, title);
        for (const { securityContext, resources } of pod['containers']) {
          const expected = {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          };
          assert.deepEqual(securityContext, expected, title);
          assert.ok(resources.limits.memory, title);
        }
      }
    }
  });

  it('asks the right route of each probe, and none while it is stopped', () => {
    const [gateway] = podOf(BASE)['containers'];
    const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) => gateway[name].httpGet.path);
    assert.deepEqual(paths, ['/-/liveness', '/-/liveness', '/-/readiness']);
    const [stopped] = podOf({ ...BASE, maintenance: true })['containers'];
    assert.deepEqual(
      [stopped.readinessProbe, stopped.livenessProbe, stopped.startupProbe],
      [undefined, undefined, undefined],
    );
    assert.equal(stopped.command[0], 'node');
  });

  it('selects gateways alone, and the Service leads to their port', () => {
    const objects = rendered({ ...ON_MONGODB, networkPolicy: { ingressFrom: [{ namespaceSelector: {} }] } });
    const labels = object(objects, 'StatefulSet errgate')['spec'].template.metadata.labels;
    const test = object(objects, 'Pod errgate-test')['metadata'].labels;
    const selectors = [
      object(objects, 'Service errgate')['spec'].selector,
      object(objects, 'Service errgate-headless')['spec'].selector,
      object(objects, 'NetworkPolicy errgate')['spec'].podSelector.matchLabels,
      object(objects, 'PodDisruptionBudget errgate')['spec'].selector.matchLabels,
      object(objects, 'StatefulSet errgate')['spec'].selector.matchLabels,
    ] as Record<string, string>[];
    const matches = (selector: Record<string, string>, found: Record<string, string>) =>
      Object.entries(selector).every(([name, value]) => found[name] === value);
    for (const selector of selectors) {
      assert.ok(matches(selector, labels));
      assert.ok(!matches(selector, test));
    }
    const [, fromTest] = object(objects, 'NetworkPolicy errgate')['spec'].ingress[0].from;
    assert.ok(matches(fromTest.podSelector.matchLabels, test));
  });

  it('gives secrets as files, and nowhere else', () => {
    const pod = podOf({ ...BASE, secrets: EVERY_SECRET });
    const variables = variablesOf(pod);
    const volume = pod['volumes'].find(({ name }: { name: string }) => name === 'secrets');
    const paths = volume.projected.sources.map(({ secret }: KubernetesObject) => {
      assert.equal(secret!.name, 'given');
      const [item] = secret!.items;
      assert.equal(item.key, item.path.toLowerCase());
      return `/run/secrets/errgate/${item.path}`;
    });
    const files = Object.entries(variables).filter(([name]) => name.endsWith('_FILE'));
    assert.equal(files.length, Object.keys(EVERY_SECRET).length);
    assert.deepEqual(files.map(([, file]) => file).toSorted(), paths.toSorted());
  });

  it('writes large numbers as people do', () => {
    const variables = variablesOf(podOf(TAKEN['settings and a file']!));
    assert.equal(variables['ERRGATE_ARTIFACT_MAX_BYTES'], '5368709120');
    assert.equal(variables['ERRGATE_BOOTSTRAP'], 'false');
  });

  it('takes host and path of the Ingress and of the route from the address', () => {
    const below = object(rendered(TAKEN['an Ingress below a path']!), 'Ingress errgate')['spec'];
    assert.deepEqual(below.tls, [{ hosts: ['example.com'], secretName: 'cert' }]);
    assert.deepEqual([below.rules[0].host, below.rules[0].http.paths[0].path], ['example.com', '/errors']);
    const capitals = object(rendered(TAKEN['a host in capitals']!), 'Ingress errgate')['spec'];
    assert.equal(capitals.rules[0].host, 'errors.example.com');
    const route = object(rendered(TAKEN['a route of a Gateway']!), 'HTTPRoute errgate')['spec'];
    assert.deepEqual([route.hostnames, route.rules[0].matches[0].path.value], [['errors.example.com'], '/']);
  });

  it('scrapes each gateway with the token, as a job that the alerts look for', () => {
    for (const name of ['errgate', 'tracker']) {
      const values = { ...TAKEN['a Prometheus operator'], fullnameOverride: name };
      const objects = rendered(values);
      const { spec } = object(objects, `ServiceMonitor ${name}`);
      assert.deepEqual(spec.endpoints[0].authorization.credentials, { name: 'given', key: 'token' });
      assert.match(spec.endpoints[0].relabelings[0].replacement, /errgate/);
      const services = [...objects.values()].filter(
        ({ kind, metadata }) =>
          kind === 'Service' &&
          Object.entries(spec.selector.matchLabels).every(([label, value]) => metadata.labels[label] === value),
      );
      assert.deepEqual(
        services.map(({ metadata }) => metadata.name),
        [`${name}-headless`],
      );
    }
  });

  it('has the alerts of deploy/prometheus', () => {
    const objects = rendered(TAKEN['a Prometheus operator']!);
    assert.deepEqual(
      object(objects, 'PrometheusRule errgate')['spec'],
      parse(readRoot('deploy/prometheus/errgate-rules.yml')),
    );
  });

  it('keeps its own labels, which select the Pods', () => {
    const { spec } = object(rendered(TAKEN['labels of the chart']!), 'StatefulSet errgate');
    const { labels } = spec.template.metadata;
    assert.deepEqual(labels, { ...spec.selector.matchLabels, team: 'a' });
  });

  it('makes a name that Services may have of any name of a release', () => {
    const { stdout, stderr } = template('errors.v2', CHART, '--set', LEAST);
    const names = [...objectsOf(stdout).keys()].filter((name) => name.startsWith('Service '));
    assert.deepEqual(names.toSorted(), ['Service errors-v2-errgate', 'Service errors-v2-errgate-headless'], stderr);
  });

  it('keeps names within the bounds of Kubernetes', () => {
    for (const { kind, metadata } of rendered(TAKEN['a long name']!).values()) {
      assert.ok(metadata.name.length <= (kind === 'StatefulSet' ? 52 : 63), metadata.name);
    }
  });

  it('says after the installation how to get the first password', () => {
    const copy = join(folder, 'notes');
    const { status } = spawnSync('cp', ['-r', CHART, copy]);
    assert.equal(status, 0);
    const templates = join(copy, 'templates');
    const notes = readFileSync(join(templates, 'NOTES.txt'), 'utf8');
    writeFileSync(join(templates, '_notes.tpl'), `{{ define "notes" }}${notes}{{ end }}`);
    writeFileSync(join(templates, 'notes.yaml'), 'notes: {{ include "notes" . | quote }}');
    const notesWith = (values: object): string => {
      const file = join(folder, 'notes.json');
      writeFileSync(file, JSON.stringify(values));
      const options = ['--namespace', 'errors', '--values', file, '--show-only', 'templates/notes.yaml'];
      const made = template('errgate', copy, ...options);
      assert.equal(made.status, 0, made.stderr);
      return (parse(made.stdout) as { notes: string }).notes;
    };
    const one = notesWith(BASE);
    assert.match(
      one,
      /kubectl --namespace errors exec errgate-0 --container errgate -- cat \/data\/errgate\/first-start\.json/,
    );
    assert.match(one, /port-forward service\/errgate 8080:80/);
    assert.match(notesWith(ON_MONGODB), /for pod in \$\(kubectl --namespace errors get pods --output name --selector/);
    assert.match(notesWith(TAKEN['an Ingress below a path']!), /Set settings\.ERRGATE_TRUSTED_PROXIES/);
    assert.match(notesWith({ ...BASE, maintenance: true }), /stopped for maintenance/);
  });

  it('becomes a package with the version of errgate', () => {
    const { version } = JSON.parse(readRoot('package.json')) as { version: string };
    const made = helm('package', CHART, '--destination', folder);
    assert.equal(made.status, 0, made.stderr);
    const shown = helm('show', 'chart', join(folder, `errgate-${version}.tgz`));
    assert.equal((parse(shown.stdout) as { appVersion: string }).appVersion, version);
    const { status, stderr } = template('a', join(folder, `errgate-${version}.tgz`), '--set', LEAST);
    assert.equal(status, 0, stderr);
  });

  it('starts errgate with its variables in a volume of root', async function () {
    if (process.getuid?.() !== 0) {
      console.log('      SKIPPED variables of the chart: only root can make a volume of root');
      this.skip();
    }
    await buildOnce();
    // A volume of Kubernetes: of root, writable for the group of the Pod.
    const volume = join(folder, 'data');
    mkdirSync(volume);
    chownSync(volume, 0, 10_001);
    chmodSync(volume, 0o2775);
    chmodSync(folder, 0o755);
    const pod = podOf(TAKEN['settings and a file']!);
    const settings = join(folder, 'etc');
    mkdirSync(settings);
    const config = object(rendered(TAKEN['settings and a file']!), 'ConfigMap errgate')['data']['local.json'];
    writeFileSync(join(settings, 'local.json'), config);
    const env = {
      ...variablesOf(pod),
      ERRGATE_CONFIG_DIR: settings,
      ERRGATE_DATA_DIR: join(volume, 'errgate'),
      PATH: process.env['PATH'] ?? '',
    };
    const { uid, gid } = { uid: 10_001, gid: 10_001 };
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(ROOT, 'bin/errgate.js'), ...args], {
        encoding: 'utf8',
        env,
        uid,
        gid,
        cwd: '/',
      });
    const shown = run('config', 'show');
    assert.equal(shown.status, 0, shown.stderr);
    const { limits, artifacts } = JSON.parse(shown.stdout) as KubernetesObject;
    assert.equal(limits.projects['demo/shop'].key.eventsPerMinute, 6000);
    assert.equal(artifacts.projectMaxBytes, 5_368_709_120);
    const created = run('user', 'create', '--username', 'a', '--email', 'a@example.com', '--name', 'A');
    assert.equal(created.status, 0, created.stderr);
    const { mode, uid: owner } = statSync(join(volume, 'errgate'));
    assert.deepEqual([mode & 0o777, owner], [0o700, uid]);
  });
});
