import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failed, ok } from '../../src/base/result.ts'
import { OPERATIONS, type OperationId } from '../../src/contract/operations.ts'
import { refuse, refuseMissingId } from '../../src/contract/refusals.ts'
import { route, routeRevision } from '../../src/contract/route.ts'

const ROUTED: readonly [segments: string[], id: OperationId, workspace: string, project: string, page: string][] = [
  [['workspace', 'acme'], 'getWorkspace', 'acme', '', ''],
  [['workspace', 'project'], 'getWorkspace', 'project', '', ''],
  [['workspace', 'acme', 'projects'], 'listProjects', 'acme', '', ''],
  [['workspace', 'acme', 'project', 'guide'], 'getProject', 'acme', 'guide', ''],
  [['workspace', 'acme', 'project', 'pages'], 'getProject', 'acme', 'pages', ''],
  [['workspace', 'acme', 'project', 'guide', 'pages'], 'listPages', 'acme', 'guide', ''],
  [['workspace', 'acme', 'project', 'guide', 'page', 'logo'], 'getPage', 'acme', 'guide', 'logo'],
  [['workspace', 'acme', 'project', 'guide', 'page', 'logo/misuse'], 'getPage', 'acme', 'guide', 'logo/misuse'],
  [['workspace', 'acme', 'project', 'guide', 'page', 'logo', 'misuse'], 'getPage', 'acme', 'guide', 'logo/misuse'],
  [['workspace', 'acme', 'project', 'guide', 'page', 'a/b', 'c'], 'getPage', 'acme', 'guide', 'a/b/c'],
  [['workspace', 'acme', 'project', 'guide', 'page', 'styles'], 'getPage', 'acme', 'guide', 'styles'],
  [['workspace', 'acme', 'project', 'guide', 'styles'], 'getStyles', 'acme', 'guide', ''],
  [['workspace', 'acme', 'project', 'guide', 'files'], 'listFiles', 'acme', 'guide', ''],
]

for (const [segments, id, workspace, project, page] of ROUTED) {
  test(`${JSON.stringify(segments)} means ${id}`, () => {
    const operation = OPERATIONS.find(each => each.id === id)
    assert.deepEqual(route(segments), ok({ operation, workspace, project, page }))
  })
}

test('the path of every operation routes to that operation', () => {
  for (const operation of OPERATIONS) {
    const call = route(operation.path.slice(1).split('/'))
    assert.ok(call.ok)
    assert.equal(call.value.operation, operation)
  }
})

const NOT_FOUND = failed(refuse('not-found'))

const INCOMPLETE: readonly [missing: string, segments: string[]][] = [
  ['workspace', ['workspace']],
  ['project', ['workspace', 'acme', 'project']],
  ['page', ['workspace', 'acme', 'project', 'guide', 'page']],
]

for (const [missing, segments] of INCOMPLETE) {
  test(`${JSON.stringify(segments)} lacks a required id, which the refusal names`, () =>
    assert.deepEqual(route(segments), failed(refuseMissingId(missing))))
}

const UNKNOWN = [
  [],
  ['workspaces'],
  ['Workspace', 'acme'],
  ['workspace', 'acme', 'pages'],
  ['workspace', 'acme', 'projects', 'guide'],
  ['workspace', 'acme', 'project', 'guide', 'colors'],
  ['workspace', 'acme', 'project', 'guide', 'pages', 'logo'],
  ['workspace', 'acme', 'project', 'guide', 'styles', 'ink'],
  ['workspace/acme'],
]

for (const segments of UNKNOWN) {
  test(`${JSON.stringify(segments)} means no operation`, () => assert.deepEqual(route(segments), NOT_FOUND))
}

const PROJECT = ['workspace', 'acme', 'project', 'guide']

const FROZEN: readonly [segments: string[], id: OperationId, page: string, revision: number][] = [
  [['1', 'beta', ...PROJECT, 'pages'], 'listPages', '', 1],
  [['70', 'beta', ...PROJECT, 'page', 'logo', 'misuse'], 'getPage', 'logo/misuse', 70],
  [['3', 'beta', ...PROJECT, 'styles'], 'getStyles', '', 3],
  [['3', 'beta', ...PROJECT, 'files'], 'listFiles', '', 3],
  [['9'.repeat(400), 'beta', ...PROJECT, 'files'], 'listFiles', '', Number.POSITIVE_INFINITY],
]

for (const [segments, id, page, revision] of FROZEN) {
  test(`below a revision, ${JSON.stringify(segments).slice(0, 80)} means ${id}`, () => {
    const operation = OPERATIONS.find(each => each.id === id)
    assert.deepEqual(routeRevision(segments), ok({ operation, workspace: 'acme', project: 'guide', page, revision }))
  })
}

const NO_REVISION = [
  ...['0', '01', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '1 ', '１', 'latest', ''].map(number => [number, 'beta']),
  ['1', 'alpha'],
  ['1', 'Beta'],
  ['1/beta'],
  ['beta'],
].map(start => [...start, ...PROJECT, 'styles'])
const NOT_FROZEN = [['workspace', 'acme'], ['workspace', 'acme', 'projects'], PROJECT, [...PROJECT, 'colors'], []]

for (const segments of [...NO_REVISION, ...NOT_FROZEN.map(below => ['1', 'beta', ...below]), ['1'], []]) {
  test(`below a revision, ${JSON.stringify(segments)} means no operation`, () =>
    assert.deepEqual(routeRevision(segments), NOT_FOUND))
}

for (const [missing, segments] of INCOMPLETE) {
  test(`below a revision, ${JSON.stringify(segments)} lacks a required id too`, () =>
    assert.deepEqual(routeRevision(['1', 'beta', ...segments]), failed(refuseMissingId(missing))))
}
