import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATIONS, type OperationId } from '#brand/contract/operations.ts'
import { refuse, refuseMissingId } from '#brand/contract/refusals.ts'
import { refusePath, routeFinder } from '#brand/contract/route.ts'
import { API_ROUTES } from '#delivery/api/answer.ts'

const find = routeFinder(API_ROUTES)

const GUIDE = '/beta/workspace/acme/project/guide'

const ROUTED: readonly [path: string, id: OperationId, ids: object][] = [
  ['/beta/workspace/acme', 'getWorkspace', { workspace: 'acme' }],
  ['/beta/workspace/project', 'getWorkspace', { workspace: 'project' }],
  ['/beta/%77orkspace/acme', 'getWorkspace', { workspace: 'acme' }],
  ['/beta/workspace/acme/projects', 'listProjects', { workspace: 'acme' }],
  [GUIDE, 'getProject', { project: 'guide' }],
  ['/beta/workspace/acme/project/pages', 'getProject', { project: 'pages' }],
  [`${GUIDE}/pages`, 'listPages', { project: 'guide' }],
  [`${GUIDE}/page/logo`, 'getPage', { project: 'guide', page: 'logo' }],
  [`${GUIDE}/page/logo/misuse`, 'getPage', { project: 'guide', page: 'logo/misuse' }],
  [`${GUIDE}/page/logo%2Fmisuse`, 'getPage', { project: 'guide', page: 'logo/misuse' }],
  [`${GUIDE}/page/a%2Fb/c`, 'getPage', { project: 'guide', page: 'a/b/c' }],
  [`${GUIDE}/page/styles`, 'getPage', { project: 'guide', page: 'styles' }],
  [`${GUIDE}/styles`, 'getStyles', { project: 'guide' }],
  [`${GUIDE}/files`, 'listFiles', { project: 'guide' }],
  [`/revision/1${GUIDE}/pages`, 'listPages', { revision: '1' }],
  [`/revision/70${GUIDE}/page/logo/misuse`, 'getPage', { page: 'logo/misuse', revision: '70' }],
  [`/revision/%33${GUIDE}/styles`, 'getStyles', { revision: '3' }],
  [`/revision/${'9'.repeat(40)}${GUIDE}/files`, 'listFiles', { revision: '9'.repeat(40) }],
]

for (const [path, id, ids] of ROUTED)
  test(`${path} means ${id}`, () => {
    const match = find(path)
    assert.equal(match.route.name, id)
    assert.partialDeepStrictEqual(match.ids, ids)
    assert.equal(find(path), match)
  })

const PATTERNS = OPERATIONS.flatMap(({ path }) => [`/beta${path}`, `/revision/{revision}/beta${path}`])

const NO_REVISION = ['0', '01', '-1', '+1', '1.0', '1e3', '0x1', '%201', '1%20', '%EF%BC%91', 'latest']
const UNKNOWN = [
  '/beta/workspaces',
  '/beta/Workspace/acme',
  '/beta/workspace%2Facme',
  '/beta/workspace%2Facme%2Fproject',
  '/beta/workspace/acme/pages',
  '/beta/workspace/acme/projects/guide',
  `${GUIDE}/colors`,
  `${GUIDE}/pages/logo`,
  `${GUIDE}/styles/ink`,
  ...NO_REVISION.map(number => `/revision/${number}${GUIDE}/styles`),
  ...['alpha', 'Beta'].map(version => `/revision/1/${version}/workspace/acme/project/guide/styles`),
  `/revision/1%2Fbeta/workspace/acme/project/guide/styles`,
  ...['/beta/workspace/acme', '/beta/workspace/acme/projects', GUIDE].map(path => `/revision/1${path}`),
  `/revision/1${GUIDE}/colors`,
  '/revision/1/beta',
  '/revision/1',
]

for (const path of UNKNOWN)
  test(`${path} means no operation`, () => {
    assert.equal(find(path).route.name, 'unknown')
    assert.deepEqual(refusePath(path, PATTERNS), refuse('not-found'))
  })

for (const start of ['', '/revision/1'])
  for (const [missing, path] of [
    ['workspace', '/beta/workspace'],
    ['project', '/beta/workspace/acme/project'],
    ['page', `${GUIDE}/page`],
  ] as const)
    test(`${start}${path} lacks a required id, which the refusal names`, () => {
      assert.equal(find(start + path).route.name, 'unknown')
      assert.deepEqual(refusePath(start + path, PATTERNS), refuseMissingId(missing))
    })

test('a path that cannot be decoded is refused with the problem', () => {
  assert.equal(find('/beta/workspace/%FF').route.name, 'unknown')
  assert.deepEqual(refusePath('/beta/workspace/%FF', PATTERNS), refuse('not-utf-8'))
  assert.deepEqual(refusePath('/beta/workspace/acme/', PATTERNS), refuse('trailing-slash'))
})
