import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { ok } from '#platform/base/result.ts'
import { type EditClone, pushCommit, stoppable, withHead } from '#publishing/git/edit/clone.ts'
import { openQueue } from '#publishing/git/edit/queue.ts'
import { lastSaves } from '#publishing/git/edit/save.ts'
import { type ChangedTexts, type Edit, editClone, editOf } from '#test/support/edit-clone.ts'
import { basic, type Repository, startGitServer } from '#test/support/git-server.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

const server = await startGitServer()
const PAGE = 'guide/pages/voice.md'
const TEXT = '# Voice\n\nShort words.\n\nNo jargon.\n'
const GUIDE = { [PAGE]: TEXT, 'guide/files/mark.png': 'png', '.gitattributes': '*.psd filter=lfs\n*.tpl filter=run\n' }

test('a save is one commit of the person on the branch, with only the changed file', async () => {
  const { repository, save } = await edited('one', GUIDE)
  const before = await repository.git(['rev-parse', 'main'])
  const saved = await save({ [PAGE]: [TEXT, TEXT.replace('Short', 'Plain')] })
  assert.ok(saved.ok && saved.value.outcome === 'saved')
  assert.equal(saved.value.commit, await repository.git(['rev-parse', 'main']))
  const format = '--format=%P|%an <%ae>|%cn <%ce>|%s|%(trailers:key=Save-Id,valueonly,separator=)'
  assert.equal(
    await repository.git(['log', '-1', format, 'main']),
    `${before}|Mia <mia@users.acme.example>|housestyle <housestyle@acme.example>|Voice: correct a word|save-1`,
  )
  assert.equal(await repository.git(['diff', '--numstat', before, 'main']), `1\t1\t${PAGE}`)
})

test('a repeated save is the same commit, also after the commits of others', async () => {
  const { repository, save } = await edited('repeated', GUIDE)
  const changes = { [PAGE]: [TEXT, TEXT.replace('Short', 'Plain')] } as const
  const first = await save(changes)
  const text = changes[PAGE][1]
  await save({ [PAGE]: [text, text.replace('No jargon', 'Never jargon')] }, { saveId: 'save-2' })
  const before = await head(repository)
  assert.deepEqual(await save(changes), first)
  assert.equal(await head(repository), before)
})

test('changes of other places are merged, changes of the same place are shown', async () => {
  const { repository, save } = await edited('merged', GUIDE)
  const theirs = TEXT.replace('No jargon', 'Never jargon')
  await repository.commit({ ...GUIDE, [PAGE]: theirs })
  const merged = await save({ [PAGE]: [TEXT, TEXT.replace('Short', 'Plain')] })
  assert.ok(merged.ok && merged.value.outcome === 'saved')
  assert.equal(`${await repository.git(['show', `main:${PAGE}`])}\n`, theirs.replace('Short', 'Plain'))
  const before = await head(repository)
  const refused = await save({ [PAGE]: [TEXT, TEXT.replace('Short', 'Long')] }, { saveId: 'save-2' })
  const now = Buffer.from(theirs.replace('Short', 'Plain'))
  assert.deepEqual(refused, { ok: true, value: { outcome: 'conflict', files: [{ path: PAGE, theirs: now }] } })
  assert.equal(await head(repository), before)
})

test('a save whose reply was lost is the same commit, even after another person changed the same place', async () => {
  const { repository, save } = await edited('lost', GUIDE)
  const mine = TEXT.replace('Short', 'Plain')
  const first = await save({ [PAGE]: [TEXT, mine] })
  await save({ [PAGE]: [mine, mine.replace('Plain', 'Long')] }, { saveId: 'save-2' })
  const before = await head(repository)
  assert.deepEqual(await save({ [PAGE]: [TEXT, mine] }), first)
  assert.equal(await head(repository), before)
})

test('a save that changes nothing makes no commit, and names none', async () => {
  const { repository, save } = await edited('nothing', { ...GUIDE, 'guide/pages/empty.md': '' })
  const before = await head(repository)
  const none = { ok: true, value: { outcome: 'saved', commit: undefined } }
  assert.deepEqual(await save({ [PAGE]: [TEXT, TEXT] }), none)
  assert.equal(await head(repository), before)
  const filled = await save({ 'guide/pages/empty.md': [undefined, '# Text\n'] }, { saveId: 'save-2' })
  assert.ok(filled.ok && filled.value.outcome === 'saved')
  assert.equal(await repository.git(['show', 'main:guide/pages/empty.md']), '# Text')
})

test('a file is added, and removed, and a folder without files is gone', async () => {
  const { repository, save } = await edited('added', GUIDE)
  await save({ 'guide/pages/new/tone.md': [undefined, '# Tone\n'] })
  assert.match(await repository.git(['ls-tree', '-r', '--name-only', 'main']), /^guide\/pages\/new\/tone\.md$/m)
  await save({ 'guide/pages/new/tone.md': ['# Tone\n', undefined] }, { saveId: 'save-2' })
  assert.equal(await repository.git(['ls-tree', '-r', '--name-only', 'main', 'guide/pages/new']), '')
})

test('a new content may be a file on disk, which replaces a file, also however it is, but merges with none', async () => {
  const { repository, clone } = await edited('upload', GUIDE)
  const file = join(await temporaryFolder(), 'upload')
  await writeFile(file, 'a larger picture')
  const path = 'guide/files/mark.png'
  const upload = (before: Uint8Array | 'any', saveId: string) =>
    saveChanges(clone, { ...editOf({}, { saveId }), changes: [{ path, before, after: { file } }] })
  const saved = await upload(Buffer.from('png'), 'save-1')
  assert.ok(saved.ok && saved.value.outcome === 'saved' && saved.value.commit)
  assert.equal(await repository.git(['show', `main:${path}`]), 'a larger picture')
  assert.deepEqual(await upload(Buffer.from('png'), 'save-1'), saved)
  await writeFile(file, 'another picture')
  const theirs = Buffer.from('a larger picture')
  const conflict = { ok: true, value: { outcome: 'conflict', files: [{ path, theirs }] } }
  assert.deepEqual(await upload(Buffer.from('png'), 'save-2'), conflict)
  assert.ok((await upload('any', 'save-3')).ok)
  assert.equal(await repository.git(['show', `main:${path}`]), 'another picture')
})

const UNSAFE = ['guide/big.psd', 'guide/x.tpl', '.git/config', '.git/hooks/pre-push', 'guide/../x.md', '../x.md']
for (const path of [...UNSAFE, 'guide/.GITATTRIBUTES', '.gitmodules', 'link/x.md', 'link', 'module', 'module/x.md'])
  test(`a change of ${path} is refused with a reason`, async () => {
    const { repository, save } = await edited(`refused-${path.replaceAll(/\W/g, '-')}`, GUIDE)
    const blob = await repository.git(['hash-object', '-w', '--stdin'], 'guide')
    const tree = await repository.git(
      ['mktree'],
      `${await repository.git(['ls-tree', 'main'])}\n120000 blob ${blob}\tlink\n160000 commit ${await head(repository)}\tmodule\n`,
    )
    await repository.commitTree(tree)
    const before = await head(repository)
    const refused = await save({ [path]: [undefined, 'x'] })
    assert.ok(!refused.ok)
    assert.equal(refused.problem.code, 'edit_refused')
    assert.match(refused.problem.message, /^cannot change .+: .+; change it with git$/)
    assert.equal(await head(repository), before)
  })

const REFUSALS = {
  GitHub: {
    said: [
      'error: GH006: Protected branch update failed for refs/heads/main.',
      '',
      '- Changes must be made through a pull request.',
    ],
    shown: 'GH006: Protected branch update failed for refs/heads/main. - Changes must be made through a pull request.',
  },
  GitLab: {
    said: ['GitLab: You are not allowed to push code to protected branches on this project.'],
    shown: 'GitLab: You are not allowed to push code to protected branches on this project.',
  },
}

for (const [host, { said, shown }] of Object.entries(REFUSALS))
  test(`a push that ${host} refuses for a protected branch has all its words, is tried once, and changes nothing`, async () => {
    const { repository, clone } = await edited(`protected-${host}`, GUIDE)
    await repository.git(['config', 'core.hooksPath', 'hooks'])
    const hook = join(repository.folder, 'hooks/pre-receive')
    await mkdir(join(repository.folder, 'hooks'), { recursive: true })
    await writeFile(hook, `#!/bin/sh\ncat >&2 <<'END'\n${said.join('\n')}\nEND\nexit 1\n`)
    await chmod(hook, 0o755)
    const before = await head(repository)
    const refused = await saveChanges(clone, editOf({ [PAGE]: [TEXT, 'x'] }, {}))
    assert.ok(!refused.ok)
    assert.equal(refused.problem.code, 'git_push_refused')
    assert.match(refused.problem.message, /let the account of the service push to this branch, or follow another one/)
    assert.ok(refused.problem.message.endsWith(shown))
    assert.equal(server.requests.filter(({ path }) => path.endsWith(`protected-${host}/git-receive-pack`)).length, 1)
    assert.equal(await head(repository), before)
  })

test('the token for following only reads, the one for pushing only pushes, and no message has one', async () => {
  const { server: own, repository } = await ownServer()
  const clone = await editClone(repository.url)
  const tokens = {
    host: { ...clone.host, token: 'reading-secret' },
    pusher: { ...clone.host, token: 'pushing-secret', isForPush: true } as const,
  }
  const saved = await saveChanges({ ...clone, ...tokens }, editOf({ [PAGE]: [TEXT, 'x'] }, {}))
  assert.ok(saved.ok)
  const sent = (service: string) =>
    new Set(own.requests.filter(({ path }) => path.includes(service)).map(({ authorization }) => authorization))
  assert.deepEqual(sent('git-upload-pack'), new Set([basic('reading-secret')]))
  assert.deepEqual(sent('git-receive-pack'), new Set([basic('pushing-secret')]))
  own.require(basic('reading-secret'))
  const began = own.requests.length
  const refused = await saveChanges({ ...clone, ...tokens }, editOf({ [PAGE]: ['x', 'y'] }, { saveId: 'save-2' }))
  assert.ok(!refused.ok)
  assert.equal(refused.problem.code, 'git_refused')
  assert.match(refused.problem.message, /give a token that may push to it with HOUSESTYLE_GIT_PUSH_TOKEN/)
  assert.doesNotMatch(refused.problem.message, /secret|Basic/)
  // A token that the host refuses is not tried again and again.
  assert.ok(own.requests.slice(began).filter(({ path }) => path.includes('git-receive-pack')).length <= 2)
})

async function ownServer() {
  const own = await startGitServer()
  const repository = await own.make('brand')
  await repository.commit(GUIDE)
  return { server: own, repository }
}

test('the problem of a host that refuses to send earlier commits is told', async () => {
  const { server: own, repository } = await ownServer()
  const clone = await editClone(repository.url)
  const found = await withHead(clone, async () => {
    own.answer(response => response.writeHead(503).end())
    return lastSaves(clone)
  })
  assert.ok(!found.ok)
  assert.match(found.problem.message, /^cannot read .+: the host fails \(503\)/)
})

test('earlier commits with more bytes than --max-git are not fetched, and the reason is told', async () => {
  const { repository, clone } = await edited('history', GUIDE)
  const tree = await repository.git(['rev-parse', 'main^{tree}'])
  const large = await repository.commit({ ...GUIDE, 'guide/files/film.mp4': randomBytes(200_000) })
  const child = await repository.git(['commit-tree', tree, '-p', large, '-m', 'Without the film'])
  await repository.git(['update-ref', 'refs/heads/main', child])
  const limited = { ...clone, maxGit: 100_000 }
  const found = await stoppable(() => lastSaves(limited))
  assert.ok(!found.ok)
  assert.equal(found.problem.code, 'git_too_large')
})

test('a dry push tells whether the host lets the service push, and changes nothing', async () => {
  const { clone, repository } = await edited('dry', GUIDE)
  const before = await head(repository)
  const dry = () => withHead(clone, each => pushCommit(clone, each, '--dry-run'))
  assert.deepEqual(await dry(), { ok: true, value: undefined })
  await repository.git(['config', 'http.receivepack', 'false'])
  const refused = await dry()
  assert.ok(!refused.ok)
  assert.equal(refused.problem.code, 'git_refused')
  assert.equal(await head(repository), before)
})

test('a tag cannot be edited', async () => {
  const { clone, repository } = await edited('tag', GUIDE)
  await repository.git(['tag', 'v1', 'main'])
  const refused = await withHead({ ...clone, source: { ...clone.source, ref: 'v1' } }, async () => assert.fail())
  assert.ok(!refused.ok)
  assert.equal(refused.problem.code, 'git_no_branch')
})

async function edited(name: string, files: Readonly<Record<string, string>>) {
  const repository = await server.make(name)
  await repository.commit(files)
  const clone = await editClone(repository.url)
  const save = (texts: ChangedTexts, more: Partial<Edit> = {}) => saveChanges(clone, editOf(texts, more))
  return { repository, clone, save }
}

function saveChanges(clone: EditClone, edit: Edit) {
  return openQueue(clone).save(edit.author, async () => ok(edit))
}

function head({ git }: Repository): Promise<string> {
  return git(['rev-parse', 'main'])
}
