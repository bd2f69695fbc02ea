import assert from 'node:assert/strict'
import test from 'node:test'
import { housestyle } from '../../../program/cli/housestyle.ts'
import { GIT, type Repository, startGitServer } from '../../../support/git-server.ts'
import { peopleService, sessionCookie } from '../../../support/people-service.ts'
import { pullerFor } from '../../../support/puller.ts'
import { temporaryFolder } from '../../../support/temporary.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const BRAND = { 'workspace.yaml': 'id: acme\n', 'guide/pages/index.md': '# Welcome\n' }
const FIX = "add them to the repository itself, or follow the submodule's own repository"
const MESSAGE = `is a submodule and is skipped with all its files: ${FIX}`
const PATH_FIX = "add its files to the repository itself, or follow the submodule's own repository"

const server = await startGitServer()

/** Makes a commit of files and of submodules. */
async function withSubmodules(name: string, files: Readonly<Record<string, string>>, paths: readonly string[]) {
  const repository = await server.make(`${name}.git`)
  await repository.commit(files)
  const hash = await addSubmodules(repository, paths)
  return { ...repository, hash: hash.slice(0, 12) }
}

async function addSubmodules({ git, commitTree }: Repository, paths: readonly string[]): Promise<string> {
  await git(['read-tree', 'main'])
  for (const path of paths) await git(['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},${path}`])
  return commitTree(await git(['write-tree']))
}

test('pull and status warn of each submodule in a brand folder, with its path and the fix', GIT, async () => {
  const { url, hash } = await withSubmodules(
    'warned',
    Object.fromEntries(Object.entries(BRAND).map(([path, text]) => [`brand/${path}`, text])),
    ['brand/guide/files/fonts', 'brand/shared', 'brand/guide/_drafts', 'elsewhere'],
  )
  const cwd = await temporaryFolder()
  const env = { PATH: process.env.PATH ?? '' }
  const pulled = await housestyle(['pull', '--git', url, '--path', 'brand'], { cwd, env })
  assert.equal(pulled.status, 0)
  assert.equal(pulled.stdout, `${url} brand/: A change (Ada, ${hash})\nacme/guide: revision 1 is published\n`)
  assert.equal(
    pulled.stderr.replace(/^(?:made |\{).*\n/gm, ''),
    `brand/guide/files/fonts:1 warning git-submodule ${MESSAGE}\nbrand/shared:1 warning git-submodule ${MESSAGE}\n`,
  )
  const status = await housestyle(['status'], { cwd, env })
  const [, ...lines] = status.stdout.split('\n')
  assert.deepEqual(lines, [
    `acme/guide: guide/files/fonts:1 warning git-submodule ${MESSAGE}`,
    `acme/guide: shared:1 warning git-submodule ${MESSAGE}`,
    '',
  ])
  const [project] = JSON.parse((await housestyle(['status', '--json'], { cwd, env })).stdout)
  const expected = ['guide/files/fonts', 'shared'].map(path => ({
    severity: 'warning',
    rule: 'git-submodule',
    path,
    line: null,
    message: MESSAGE,
  }))
  assert.deepEqual(project.findings, expected)
})

test('the manage page of a project shows its submodules', GIT, async () => {
  const { url } = await withSubmodules('managed', BRAND, ['guide/files/fonts'])
  const temporary = await temporaryStore()
  await pullerFor(temporary).pull({ url })
  const { ask, close } = await peopleService(temporary)
  const cookie = await sessionCookie(temporary, 'acme', { manages: 'all' })
  const { text } = await ask('/acme/guide/-/manage', { headers: { cookie } })
  assert.match(
    text,
    /<dt><code dir="ltr">guide\/files\/fonts<\/code><\/dt>\n<dd><bdi lang="en">is a submodule and is skipped/,
  )
  await close()
})

const REASONS: readonly [name: string, path: string, submodule: string][] = [
  ['a brand folder that is a submodule', 'brand', 'brand'],
  ['a brand folder inside a submodule', 'shared/design/brand/guidelines', 'shared/design'],
]
for (const [name, path, submodule] of REASONS)
  test(`a pull names the submodule as the reason for ${name}`, GIT, async () => {
    const { url, hash } = await withSubmodules(`reason-${submodule.replace('/', '-')}`, BRAND, [submodule])
    const { state } = await pullerFor(await temporaryStore()).pull({ url, path })
    assert.deepEqual(
      [state.failure?.code, state.failure?.message],
      [
        'git_path_missing',
        `cannot pull ${url}: the commit ${hash} has no folder ${path}/; ${submodule} is a submodule, whose files are not read; ${PATH_FIX}`,
      ],
    )
  })

test('a repository whose only content is a submodule is refused with that reason', GIT, async () => {
  const { url } = await withSubmodules('only', { 'README.md': '# Brand\n' }, ['brand'])
  const { state } = await pullerFor(await temporaryStore()).pull({ url })
  assert.deepEqual(
    [state.failure?.code, state.failure?.message],
    ['workspace_missing', `cannot import ${url}: brand is a submodule, whose files are not read; ${PATH_FIX}`],
  )
})
