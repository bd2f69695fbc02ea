import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Deployment, DeploymentSpec } from 'kubernetes-types/apps/v1.js'
import type { CronJob, Job } from 'kubernetes-types/batch/v1.js'
import type { ConfigMap, Container, PodTemplateSpec, Secret, Service } from 'kubernetes-types/core/v1.js'
import type { Ingress } from 'kubernetes-types/networking/v1.js'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js'
import { parseAllDocuments } from 'yaml'
import { SETTINGS } from '#platform/settings/table.ts'
import { runSchedule } from '../support/schedule.ts'
import { folderWith, temporaryFolder } from '../support/temporary.ts'
import { publishedStore } from '../support/temporary-store.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The module with the types of each kind. */
const KINDS: Readonly<Record<string, string>> = {
  ConfigMap: 'core/v1',
  CronJob: 'batch/v1',
  Deployment: 'apps/v1',
  Ingress: 'networking/v1',
  Job: 'batch/v1',
  PersistentVolumeClaim: 'core/v1',
  PodDisruptionBudget: 'policy/v1',
  Secret: 'core/v1',
  Service: 'core/v1',
}

type Manifest = { kind: string; metadata: { name?: string }; spec?: unknown }

const manifests: Manifest[] = globSync('deploy/kubernetes/*.yaml', { cwd: root })
  .sort()
  .flatMap(path => parseAllDocuments(readFileSync(join(root, path), 'utf8')).map(document => document.toJS()))

function only<Value>(kind: string): Value {
  const found = manifests.filter(manifest => manifest.kind === kind)
  assert.equal(found.length, 1, kind)
  return JSON.parse(JSON.stringify(found[0]))
}

const deployment = only<Deployment>('Deployment')
const spec: DeploymentSpec = deployment.spec ?? assert.fail()
const cronJobs: CronJob[] = manifests
  .filter(({ kind }) => kind === 'CronJob')
  .map(manifest => JSON.parse(JSON.stringify(manifest)))
const pods: (PodTemplateSpec | undefined)[] = [
  spec.template,
  only<Job>('Job').spec?.template,
  ...cronJobs.map(job => job.spec?.jobTemplate.spec?.template),
]
const containerOf = (pod: PodTemplateSpec | undefined): Container => pod?.spec?.containers[0] ?? assert.fail()

/** The compiler errors for manifests as values of their kinds: unknown keys, or values of a wrong type. */
async function complaints(written: readonly Manifest[]): Promise<string> {
  const folder = await temporaryFolder()
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const lines = written.map(
    (manifest, at) =>
      `export const m${at}: import('kubernetes-types/${KINDS[manifest.kind] ?? manifest.kind}.js').${manifest.kind} = ${JSON.stringify(manifest)}`,
  )
  await writeFile(join(folder, 'manifests.ts'), lines.join('\n'))
  const args = ['--noEmit', '--strict', '--module', 'nodenext', '--ignoreConfig', join(folder, 'manifests.ts')]
  return promisify(execFile)(join(root, 'node_modules/.bin/tsc'), args, { cwd: folder }).then(
    () => '',
    ({ stdout }) => stdout,
  )
}

test('every manifest has only keys of its kind, with values of the right types', async () => {
  assert.ok(manifests.length >= 7)
  assert.equal(await complaints(manifests), '')
  const text = await complaints([{ ...deployment, kind: 'Deployment', metadata: {}, spec: { ...spec, replcas: 3 } }])
  assert.match(text, /replcas/)
})

test('pods meet the restricted pod security standard, with a read-only root', () => {
  for (const pod of pods) {
    const { securityContext, volumes = [], ...rest } = pod?.spec ?? assert.fail()
    assert.equal(securityContext?.runAsNonRoot, true)
    assert.notEqual(securityContext?.runAsUser, 0)
    assert.deepEqual(securityContext?.seccompProfile, { type: 'RuntimeDefault' })
    assert.equal(rest.automountServiceAccountToken, false)
    for (const host of ['hostNetwork', 'hostPID', 'hostIPC'] as const) assert.equal(rest[host], undefined)
    assert.ok(volumes.every(volume => volume.emptyDir ?? volume.secret ?? volume.persistentVolumeClaim))
    assert.deepEqual(containerOf(pod).securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const mounts = containerOf(pod).volumeMounts?.map(({ name }) => name)
    assert.deepEqual(mounts?.toSorted(), volumes.map(({ name }) => name).toSorted())
  }
})

test('pods end one at a time, after their service has answered every request', () => {
  const { preStop } = containerOf(spec.template).lifecycle ?? assert.fail()
  const { sleep } = preStop ?? assert.fail()
  // Three seconds for connections that wait for a descriptor, 25 for replies: docs/running-a-service.md.
  const grace = spec.template.spec?.terminationGracePeriodSeconds ?? 0
  assert.ok(grace >= (sleep?.seconds ?? Number.NaN) + 3 + 25 + 5, `${grace}`)
  assert.deepEqual(spec.strategy?.rollingUpdate, { maxSurge: 1, maxUnavailable: 0 })
  assert.equal(only<PodDisruptionBudget>('PodDisruptionBudget').spec?.maxUnavailable, 1)
})

test('probes use addresses of the service, and a lost database restarts no pod', () => {
  const { startupProbe, livenessProbe, readinessProbe, ports } = containerOf(spec.template)
  const asked = [startupProbe, livenessProbe, readinessProbe].map(probe => probe?.httpGet)
  const seen = asked.map(get => get?.path)
  assert.deepEqual(seen, ['/readyz', '/healthz', '/readyz'])
  for (const get of asked) assert.equal(get?.port, ports?.[0]?.name)
})

test('the CronJob for backups backs up, and keeps thirty backups', async () => {
  const temporary = await publishedStore('acme/guide', { 'guide/pages/index.md': '# One\n' })
  const names = Array.from({ length: 30 }, (_, at) => `2026-01-${String(at + 1).padStart(2, '0')}T030000.tar`)
  const backups = await folderWith(Object.fromEntries(names.map(name => [name, ''])), 'backups')
  const backup = cronJobs.find(({ metadata }) => metadata?.name === 'housestyle-backup')
  const { args = [] } = containerOf(backup?.spec?.jobTemplate.spec?.template)
  assert.match(await runSchedule(args[0] ?? '', { data: temporary.data, backups }), /\.tar: the catalogue and/)
  const left = readdirSync(backups).toSorted()
  assert.deepEqual([left.length, left[0]], [30, names[1]])
})

test('a shell in a pod has an init, which passes signals on to what it runs', () => {
  for (const { command = [] } of pods.map(containerOf))
    if (command.includes('sh')) assert.deepEqual(command, ['/usr/bin/tini', '-g', '--', 'sh', '-c'])
})

test('the Ingress hides metrics, and does not log share link secrets', () => {
  const { metadata, spec: rules } = only<Ingress>('Ingress')
  assert.equal(metadata?.annotations?.['nginx.ingress.kubernetes.io/enable-access-log'], 'false')
  const hidden = rules?.rules?.flatMap(({ http }) => http?.paths ?? []).find(({ path }) => path === '/metrics')
  assert.equal(hidden?.pathType, 'Exact')
  const services = manifests.filter(({ kind }) => kind === 'Service').map(({ metadata: { name } }) => name)
  assert.ok(!services.includes(hidden?.backend.service?.name))
})

test('service, budget and spread select the pods, and all names in pods exist', () => {
  const { labels } = spec.template.metadata ?? assert.fail()
  for (const selector of [
    spec.selector.matchLabels,
    only<Service>('Service').spec?.selector,
    only<PodDisruptionBudget>('PodDisruptionBudget').spec?.selector?.matchLabels,
    ...(spec.template.spec?.topologySpreadConstraints ?? []).map(({ labelSelector }) => labelSelector?.matchLabels),
  ])
    assert.deepEqual(selector, labels)
  assert.equal(only<Service>('Service').spec?.ports?.[0]?.targetPort, containerOf(spec.template).ports?.[0]?.name)
  const [configuration, secret] = [only<ConfigMap>('ConfigMap'), only<Secret>('Secret')]
  for (const pod of pods) {
    assert.deepEqual(containerOf(pod).envFrom, [{ configMapRef: { name: configuration.metadata?.name } }])
    assert.equal(pod?.spec?.volumes?.find(volume => volume.secret)?.secret?.secretName, secret.metadata?.name)
    for (const { name, value = '' } of containerOf(pod).env ?? []) {
      assert.ok(isSetting(name), name)
      assert.ok(Object.hasOwn(secret.stringData ?? {}, value.replace('/run/secrets/housestyle/', '')), value)
    }
  }
  for (const name of Object.keys(configuration.data ?? {})) assert.ok(isSetting(name), name)
})

/** S3 clients read the AWS variables. */
function isSetting(name: string): boolean {
  const settings = Object.values(SETTINGS).flatMap(({ environment, ...rest }) =>
    'isSecret' in rest ? [environment, `${environment}_FILE`] : [environment],
  )
  return name.startsWith('AWS_') || new Set<string>(settings).has(name)
}
