import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import test from 'node:test'
import { gitEnvironment } from '#publishing/git/program/git-access.ts'
import type { GitProblem } from '#publishing/git/program/git-problem.ts'
import { listTree } from '#publishing/git/repository/tree.ts'
import { projectStates } from '#publishing/status.ts'
import { GIT, type Repository, startGitServer } from '../../../support/git-server.ts'
import { pullerFor } from '../../../support/puller.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const BRAND = { 'workspace.yaml': 'id: acme\n', 'guide/pages/index.md': '# Welcome\n' }
const server = await startGitServer()
const temporary = await temporaryStore()

type Entry = [mode: string, name: string | Buffer, hash: string]

/** Writes a tree exactly as given: in this order, with any names. */
function writeTree({ git }: Repository, entries: readonly Entry[]): Promise<string> {
  const parts = entries.flatMap(([mode, name, hash]) => [
    Buffer.from(`${mode} `),
    Buffer.from(name),
    Buffer.from([0]),
    Buffer.from(hash, 'hex'),
  ])
  return git(['hash-object', '-t', 'tree', '--literally', '-w', '--stdin'], Buffer.concat(parts))
}

/** A repository with one page, in whose folder of pages are these entries. */
async function hostile(name: string, entriesOf: (blob: string, repository: Repository) => Promise<Entry[]> | Entry[]) {
  const repository = await server.make(`${name}.git`)
  const blob = await repository.git(['hash-object', '-w', '--stdin'], '# Page\n')
  const id = await repository.git(['hash-object', '-w', '--stdin'], 'id: acme\n')
  const pages = await writeTree(repository, await entriesOf(blob, repository))
  const guide = await writeTree(repository, [['40000', 'pages', pages]])
  const tree = await writeTree(repository, [
    ['40000', 'guide', guide],
    ['100644', 'workspace.yaml', id],
  ])
  return { ...repository, tree }
}

/** The problem of listing a tree in its own repository. */
async function problemOf({ folder, tree, url }: { folder: string; tree: string; url: string }): Promise<GitProblem> {
  const runner = {
    environment: { ...gitEnvironment({ PATH: process.env.PATH ?? '' }, url, folder, {}), GIT_DIR: folder },
    folder,
    kill: (id: number, signal: NodeJS.Signals) => void process.kill(id, signal),
    signal: new AbortController().signal,
  }
  const listed = await listTree(runner, { url, tree }, { entries: 2000, depth: 16, bytes: 1 << 20 })
  return listed.ok ? assert.fail('it was listed') : listed.problem
}

async function failureOf(url: string, maxGit?: number): Promise<GitProblem> {
  const puller = pullerFor(temporary, maxGit === undefined ? {} : { maxGit })
  const { state } = await puller.pull({ url })
  for (const id of readdirSync(puller.mirrors)) assert.doesNotMatch(`${readdirSync(`${puller.mirrors}/${id}`)}`, /tree/)
  const { code, message } = state.failure ?? assert.fail('it was pulled')
  return { code, message }
}

const REFUSED: readonly [name: string, names: readonly (string | Buffer)[], message: RegExp][] = [
  ['case', ['Logo.md', 'logo.md'], /"guide\/pages\/Logo\.md" and "guide\/pages\/logo\.md" are the same path on some/],
  ['accents', ['e\u0301.md', '\u00e9.md'], /are the same path on some disks; rename one/],
  ['dotgit', ['.git'], /has the name "\.git"; remove it/],
  ['upper', ['.GIT'], /has the name "\.GIT"; remove it/],
  ['ignorable', ['.g\u200cit'], /has the name "\.g\\\\?u200cit"; remove it/],
  ['short', ['GIT~1'], /has the name "GIT~1"; remove it/],
  ['stream', ['.git::$INDEX_ALLOCATION'], /has the name "\.git::\$INDEX_ALLOCATION"; remove it/],
  ['dots', ['.git . .'], /has the name "\.git \. \."; remove it/],
  ['parent', ['..'], /has the name "\.\."; remove it/],
  ['backslash', ['..\\x.md'], /has the name "\.\.\\\\x\.md"; remove it/],
  ['twice', ['a.md', 'a.md'], /"guide\/pages\/a\.md" and "guide\/pages\/a\.md" are the same path/],
]

for (const [name, names, message] of REFUSED)
  test(`a repository with the names ${JSON.stringify(names)} is refused`, GIT, async () => {
    const repository = await hostile(name, blob => names.map((each): Entry => ['100644', each, blob]))
    const problem = await problemOf(repository)
    assert.equal(problem.code, 'git_unsafe')
    assert.match(problem.message, message)
  })

test('a name that is a link and a folder is refused, so that no file is written through the link', GIT, async () => {
  const repository = await hostile('through', async (blob, own) => {
    const target = await own.git(['hash-object', '-w', '--stdin'], '/tmp')
    const inside = await writeTree(own, [['100644', 'x.md', blob]])
    return [
      ['120000', 'a', target],
      ['40000', 'a', inside],
    ]
  })
  assert.match((await problemOf(repository)).message, /"guide\/pages\/a" and "guide\/pages\/a" are the same path/)
})

test('a pull refuses a folder named .git before it checks anything out', GIT, async () => {
  const { url, tree, commitTree } = await hostile('pulled', blob => [['100644', '.git', blob]])
  await commitTree(tree)
  assert.deepEqual(await failureOf(url), {
    code: 'git_unsafe',
    message: 'cannot check out the commit: "guide/pages/.git" has the name ".git"; remove it',
  })
})

test('symbolic links and submodules are not followed, and reported', GIT, async () => {
  const { url, tree, commitTree } = await hostile('links', async (blob, repository) => {
    const target = await repository.git(['hash-object', '-w', '--stdin'], '/etc/passwd')
    return [
      ['100644', 'index.md', blob],
      ['120000', 'link.md', target],
      ['160000', 'module', '1234567890123456789012345678901234567890'],
    ]
  })
  await commitTree(tree)
  const { state } = await pullerFor(temporary).pull({ url })
  const seen = state.findings.map(({ rule, path, message }) => [rule, path, message])
  assert.deepEqual(seen, [
    ['not-followed', 'guide/pages/link.md', 'is a symbolic link and is skipped: replace it with the file itself'],
    [
      'git-submodule',
      'guide/pages/module',
      "is a submodule and is skipped with all its files: add them to the repository itself, or follow the submodule's own repository",
    ],
  ])
  assert.deepEqual([state.state, state.failure], ['good', null])
})

test('a workspace.yaml that is a symbolic link is not followed, and the problem says so', GIT, async () => {
  const repository = await server.make('linked.git')
  const target = await repository.git(['hash-object', '-w', '--stdin'], '/etc/hostname')
  await repository.commitTree(await writeTree(repository, [['120000', 'workspace.yaml', target]]))
  const { code, message } = await failureOf(repository.url)
  assert.equal(code, 'workspace_missing')
  assert.match(
    message,
    /: workspace\.yaml is a symbolic link, which is not followed; write id: into workspace\.yaml, or/,
  )
})

test('a tree that repeats itself without end is refused by number, depth or size', GIT, async () => {
  const many = await hostile('many', async (blob, repository) => {
    let tree = await writeTree(
      repository,
      Array.from({ length: 10 }, (_, at): Entry => ['100644', `f${at}`, blob]),
    )
    for (let level = 0; level < 6; level++)
      tree = await writeTree(
        repository,
        Array.from({ length: 10 }, (_, at): Entry => ['40000', `d${at}`, tree]),
      )
    return [['40000', 'bomb', tree]]
  })
  assert.deepEqual(await problemOf(many), {
    code: 'git_too_large',
    message:
      'cannot check out the commit: it has more than 2000 files; remove some, or name the brand folder with --path',
  })
  const deep = await hostile('deep', async (blob, repository) => {
    let tree = await writeTree(repository, [['100644', 'f', blob]])
    // A file at each level, so that no path adds more than one folder.
    for (let level = 0; level < 20; level++)
      tree = await writeTree(repository, [
        ['100644', 'a', blob],
        ['40000', 'd', tree],
      ])
    return [['40000', 'd', tree]]
  })
  assert.match((await problemOf(deep)).message, /^cannot check out the commit: ".*" is too deep; move it up$/)
  const large = await server.make('large.git')
  await large.commit({ ...BRAND, 'guide/files/zeros.bin': Buffer.alloc(3 << 20) })
  const { code, message } = await failureOf(large.url, 2 << 20)
  assert.equal(code, 'git_too_large')
  assert.match(message, /^cannot check out the commit: its files have more than 2097152 bytes; remove some/)
})

test('a repository larger than the limit is refused during the fetch, and its copy is deleted', GIT, async () => {
  const { url, commit } = await server.make('heavy.git')
  const random = Buffer.alloc(3 << 20)
  for (let at = 0; at < random.length; at += 4) random.writeUInt32LE(Math.imul(at, 2654435761) >>> 0, at)
  await commit({ ...BRAND, 'guide/files/noise.bin': random })
  const { code, message } = await failureOf(url, 1 << 20)
  assert.equal(code, 'git_too_large')
  assert.equal(message, `cannot fetch ${url}: it has more than 1048576 bytes; make it smaller, or raise --max-git`)
})

test('nothing in a repository changes a byte of its files', GIT, async () => {
  const { url, commit } = await server.make('attributes.git')
  const page = '# $Id$\r\n\r\n$Format:%H$\r\n'
  await commit({
    ...BRAND,
    '.gitattributes': '* text eol=crlf ident export-subst filter=evil working-tree-encoding=UTF-16\n',
    '.lfsconfig': '[lfs]\nurl = https://evil.example\n',
    '.gitmodules': '[submodule "x"]\npath = x\nurl = https://evil.example/x.git\n',
    'guide/files/page.txt': page,
  })
  const own = await temporaryStore()
  const { state } = await pullerFor(own).pull({ url })
  assert.deepEqual([state.state, state.failure], ['good', null])
  const [project] = await projectStates(own.store, {})
  assert.equal(project?.project, 'guide')
  const paths = await readdir(own.data, { recursive: true, withFileTypes: true })
  const files = paths.filter(each => each.isFile() && each.parentPath.includes('/files/'))
  const contents = await Promise.all(files.map(each => readFile(`${each.parentPath}/${each.name}`, 'latin1')))
  assert.ok(contents.includes(page))
})
