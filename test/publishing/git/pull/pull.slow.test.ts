import assert from 'node:assert/strict'
import { chmodSync, existsSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { history } from '#publishing/history.ts'
import { publish } from '#publishing/publish.ts'
import { projectStates } from '#publishing/status.ts'
import { GIT, startGitServer } from '../../../support/git-server.ts'
import { pullerFor } from '../../../support/puller.ts'
import { type TemporaryStore, temporaryStore } from '../../../support/temporary-store.ts'

const GUIDE = { workspace: 'acme', project: 'guide' }
const BRAND = { 'workspace.yaml': 'id: acme\n', 'guide/pages/index.md': '# Welcome\n' }

const server = await startGitServer()
const repository = (name: string) => server.make(`${name}.git`)

/** The notes of a project, newest first. */
async function notes({ store }: TemporaryStore): Promise<(string | null)[]> {
  const found = await history(store, GUIDE)
  return found.ok ? found.value.map(({ note }) => note) : []
}

test('a pull publishes the default branch, with its commit as the note; a second changes nothing', GIT, async () => {
  const temporary = await temporaryStore()
  const { url, commit } = await repository('first')
  const hash = await commit(BRAND, { subject: 'The first guide', author: 'Ada Lovelace' })
  const puller = pullerFor(temporary)
  const { outcome, state } = await puller.pull({ url })
  const { checkedAt, goodAt, ...rest } = state
  assert.ok(checkedAt !== null && goodAt !== null && checkedAt <= goodAt)
  assert.equal(outcome, 'imported')
  assert.deepEqual(rest, {
    url,
    ref: null,
    path: null,
    workspace: 'acme',
    publish: 'auto',
    state: 'good',
    commit: { hash, author: 'Ada Lovelace', subject: 'The first guide' },
    projects: [{ project: 'guide', imported: true, changed: true, revision: 1 }],
    errors: 0,
    warnings: 0,
    findings: [],
    failure: null,
  })
  assert.deepEqual(await notes(temporary), [`The first guide (Ada Lovelace, ${hash.slice(0, 12)})`])
  assert.equal((await puller.pull({ url })).outcome, 'unchanged')
  assert.equal((await puller.pull({ url }, { isForced: true })).outcome, 'imported')
  assert.equal((await notes(temporary)).length, 1)
})

test('only the files below the path are checked out, and a commit elsewhere imports nothing', GIT, async () => {
  const temporary = await temporaryStore()
  const { url, commit } = await repository('below')
  const brand = Object.fromEntries(Object.entries(BRAND).map(([path, text]) => [`design/brand/${path}`, text]))
  await commit({ ...brand, 'src/guide/pages/other.md': '# Other\n' })
  const puller = pullerFor(temporary)
  const source = { url, path: 'design/brand' }
  const projects = (await puller.pull(source)).state.projects.map(({ project }) => project)
  assert.deepEqual(projects, ['guide'])
  const second = await commit({ ...brand, 'src/main.c': 'int main;\n' }, { subject: 'Code' })
  const { outcome, state } = await puller.pull(source)
  assert.deepEqual([outcome, state.commit?.hash], ['unchanged', second])
  const missing = await puller.pull({ url, path: 'brand' })
  assert.deepEqual(missing.state.failure, {
    commit: { hash: second, author: 'Ada', subject: 'Code' },
    code: 'git_path_missing',
    message: `cannot pull ${url}: the commit ${second.slice(0, 12)} has no folder brand/; correct --path`,
  })
})

test('two branches of a repository feed two workspaces, which override the id in workspace.yaml', GIT, async () => {
  const temporary = await temporaryStore()
  const { url, commit } = await repository('branches')
  await commit(BRAND)
  await commit({ ...BRAND, 'guide/pages/index.md': '# Next\n' }, { branch: 'next' })
  const puller = pullerFor(temporary)
  await puller.pull({ url, ref: 'main' })
  await puller.pull({ url, ref: 'next', workspace: 'acme-next' })
  const states = await projectStates(temporary.store, {})
  const seen = states.map(({ workspace, project, status }) => [workspace, project, status])
  assert.deepEqual(seen, [
    ['acme', 'guide', 'UpToDate'],
    ['acme-next', 'guide', 'UpToDate'],
  ])
  assert.notEqual(states[0]?.published, states[1]?.published)
})

test('with manual publishing, a pull imports drafts, and the commit is the note of the publication', GIT, async () => {
  const temporary = await temporaryStore()
  const { url, commit } = await repository('manual')
  const hash = await commit(BRAND, { subject: 'For review' })
  const { state } = await pullerFor(temporary).pull({ url, publish: 'manual' })
  assert.deepEqual(state.projects, [{ project: 'guide', imported: true, changed: true, revision: null }])
  assert.deepEqual(await notes(temporary), [])
  await publish(temporary.store, GUIDE, {}, new Date())
  assert.deepEqual(await notes(temporary), [`For review (Ada, ${hash.slice(0, 12)})`])
})

test('a workspace without id is refused, and a folder of one project is named after its workspace', GIT, async () => {
  const temporary = await temporaryStore()
  const { url, commit } = await repository('unnamed')
  const hash = await commit({ 'pages/index.md': '# Welcome\n' })
  const puller = pullerFor(temporary)
  const refused = await puller.pull({ url })
  assert.deepEqual(refused.state.failure, {
    commit: { hash, author: 'Ada', subject: 'A change' },
    code: 'workspace_missing',
    message: `cannot import ${url}: its workspace has no id; write id: into workspace.yaml, or workspace: into the entry of git: in housestyle.yaml`,
  })
  await puller.pull({ url, workspace: 'nova' })
  const states = await projectStates(temporary.store, {})
  const seen = states.map(({ workspace, project }) => `${workspace}/${project}`)
  assert.deepEqual(seen, ['nova/nova'])
})

test('a forgotten --path is answered with the folder of the brand', GIT, async () => {
  const { url, commit } = await repository('forgotten')
  const brand = { 'site/brand/workspace.yaml': 'id: acme\n', 'site/brand/guide/pages/index.md': '# Welcome\n' }
  await commit({ ...brand, 'README.md': '# Code\n', 'site/brand/guide/files/example/workspace.yaml': 'id: other\n' })
  const puller = pullerFor(await temporaryStore())
  for (const source of [{ url }, { url, path: 'site' }, { url, workspace: 'nova' }]) {
    const { state } = await puller.pull(source)
    const name = source.path === undefined ? url : `${url} site/`
    assert.deepEqual(
      [state.failure?.code, state.failure?.message],
      ['workspace_missing', `cannot import ${name}: the brand is in the folder site/brand/; add --path site/brand`],
    )
  }
  assert.equal((await puller.pull({ url, path: 'site/brand' })).state.state, 'good')
  await commit({ ...brand, 'pages/index.md': '# Root\n' })
  assert.equal((await puller.pull({ url, workspace: 'nova' })).state.failure, null)
})

test('a project with an error keeps its revision, and the error has its path in the repository', GIT, async () => {
  const temporary = await temporaryStore()
  const { url, commit } = await repository('errors')
  const files = {
    'brand/workspace.yaml': 'id: acme\n',
    'brand/guide/pages/index.md': '# Welcome\n',
    'brand/other/pages/index.md': '# Other\n',
  }
  await commit(files)
  const puller = pullerFor(temporary)
  const source = { url, path: 'brand' }
  const first = await puller.pull(source)
  await commit({
    ...files,
    'brand/guide/styles/colors.yaml': '- name: Ink\n  hex: "#000"\n- name: Signal\n',
    'brand/other/pages/index.md': '# Another\n',
  })
  const { outcome, state } = await puller.pull(source)
  assert.deepEqual([outcome, state.state, state.errors, state.failure], ['imported', 'failed', 1, null])
  const [finding] = state.findings
  assert.deepEqual([finding?.path, finding?.line, finding?.severity], ['brand/guide/styles/colors.yaml', 3, 'error'])
  const seen = state.projects.map(({ project, imported, revision }) => [project, imported, revision])
  assert.deepEqual(seen, [
    ['guide', false, null],
    ['other', true, 2],
  ])
  assert.equal(state.goodAt, first.state.goodAt)
  const found = [(await puller.pull(source)).outcome, (await puller.pull(source)).state.state]
  assert.deepEqual(found, ['unchanged', 'failed'])
  await commit(files)
  const fixed = await puller.pull(source)
  assert.deepEqual([fixed.state.state, fixed.state.errors], ['good', 0])
  assert.ok((fixed.state.goodAt ?? '') > (first.state.goodAt ?? ''))
})

test('after a force-push, the new commit is published', GIT, async () => {
  const temporary = await temporaryStore()
  const { url, commit, git } = await repository('forced')
  await commit(BRAND, { subject: 'One' })
  const second = await commit({ ...BRAND, 'guide/pages/index.md': '# Two\n' }, { subject: 'Two' })
  const puller = pullerFor(temporary)
  await puller.pull({ url })
  const replaced = await commit({ ...BRAND, 'guide/pages/index.md': '# Three\n' }, { subject: 'Three' })
  await git(['gc', '--quiet', '--prune=now'])
  await assert.rejects(git(['cat-file', '-e', second]))
  assert.equal((await puller.pull({ url })).state.commit?.hash, replaced)
  const seen = (await notes(temporary)).map(note => note?.slice(0, 5))
  assert.deepEqual(seen, ['Three', 'Two ('])
})

test('a branch that is gone, no repository, a web page and a stopped server keep the revision', GIT, async () => {
  const temporary = await temporaryStore()
  const own = await startGitServer()
  const { url, commit, git } = await own.make('lost.git')
  await commit(BRAND, { branch: 'brand' })
  const puller = pullerFor(temporary)
  const source = { url, ref: 'brand' }
  await puller.pull(source)
  await git(['update-ref', '-d', 'refs/heads/brand'])
  const deleted = await puller.pull(source)
  assert.deepEqual(deleted.state.failure, {
    code: 'git_ref_missing',
    message: `cannot pull ${url}: it has no branch or tag brand; push it, or name another one with --ref`,
  })
  const unknown = await puller.pull({ url: `${own.url}/unknown.git` })
  assert.equal(unknown.state.failure?.code, 'git_not_found')
  await commit(BRAND, { branch: 'brand' })
  assert.equal((await puller.pull(source)).state.state, 'good')
  own.answer(response => response.end('<h1>Sign in</h1>'))
  const page = await puller.pull({ url })
  const why = 'it has no default branch; correct the address, or push a branch and name it with --ref'
  assert.equal(page.state.failure?.message, `cannot pull ${url}: ${why}`)
  await own.stop()
  const stopped = await puller.pull(source)
  assert.equal(stopped.state.failure?.code, 'git_unreachable')
  assert.match(
    stopped.state.failure?.message ?? '',
    /^cannot read http:\S+: the host cannot be reached; check the address.*: Failed to connect/,
  )
  assert.equal(stopped.state.state, 'failed')
  const [project] = await projectStates(temporary.store, {})
  assert.deepEqual([project?.status, project?.revision], ['UpToDate', 1])
})

test('no checkout is left behind, and the mirror is made again once it has doubled or is damaged', GIT, async () => {
  const temporary = await temporaryStore()
  const { url, commit } = await repository('mirror')
  const puller = pullerFor(temporary)
  await commit(BRAND)
  await puller.pull({ url })
  const [id = ''] = readdirSync(puller.mirrors)
  const home = join(puller.mirrors, id)
  const [mirror = '', ...others] = readdirSync(home)
  assert.match(mirror, /^40-/)
  assert.deepEqual(others, [])
  const packs = join(home, mirror, 'objects/pack')
  for (const path of readdirSync(packs).map(name => join(packs, name))) {
    chmodSync(path, 0o600)
    truncateSync(path, 10)
  }
  await commit({ ...BRAND, 'guide/pages/index.md': '# Again\n' })
  await puller.pull({ url })
  const repaired = await puller.pull({ url })
  assert.equal(repaired.state.failure, null)
  const [second = ''] = readdirSync(home)
  rmSync(join(home, second, 'HEAD'))
  await commit({ ...BRAND, 'guide/pages/index.md': '# Lost\n' })
  await puller.pull({ url })
  assert.equal((await puller.pull({ url })).state.failure, null)
  const [third = ''] = readdirSync(home)
  assert.notEqual(third, second)
  writeFileSync(join(home, third, 'objects/pack/pack-1234.keep'), Buffer.alloc(70 << 20))
  await commit({ ...BRAND, 'guide/pages/index.md': '# Once more\n' })
  assert.equal((await puller.pull({ url })).state.failure, null)
  assert.equal(existsSync(join(home, third)), false)
})

test('the limit of a repository counts only the newest commit, not those that the mirror keeps', GIT, async () => {
  const { url, commit } = await repository('grown')
  const puller = pullerFor(await temporaryStore(), { maxGit: 1 << 20 })
  const noise = (seed: number) => {
    const bytes = Buffer.alloc(400 << 10)
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(Math.imul(at + seed, 2654435761) >>> 0, at)
    return bytes
  }
  for (const seed of [1, 2, 3, 4, 5]) {
    await commit({ ...BRAND, 'guide/files/noise.bin': noise(seed) })
    assert.equal((await puller.pull({ url })).state.failure, null)
  }
  await commit({
    ...BRAND,
    'guide/files/a.bin': noise(6),
    'guide/files/b.bin': noise(7),
    'guide/files/c.bin': noise(8),
  })
  assert.equal((await puller.pull({ url })).state.failure?.code, 'git_too_large')
})
