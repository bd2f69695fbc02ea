import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { openFolder } from '#publishing/edit-folder.ts'
import { type MergeTexts, mergeTexts } from '#publishing/git/edit/merge-files.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

const merge: MergeTexts = async texts => mergeTexts(texts)
const PAGE = 'guide/pages/voice.md'
const TEXT = '# Voice\n\nShort words.\n\nNo jargon.\n'

async function brand(): Promise<{ folder: string; outside: string }> {
  const [folder, outside] = [await temporaryFolder(), await temporaryFolder()]
  await mkdir(join(folder, 'guide/pages'), { recursive: true })
  await writeFile(join(folder, PAGE), TEXT)
  await writeFile(join(outside, 'secret.md'), 'secret')
  return { folder, outside }
}

function save(folder: string, path: string, before: string | undefined, after: string | undefined) {
  const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text))
  return openFolder(folder, merge).save({ changes: [{ path, before: bytes(before), after: bytes(after) }] })
}

test('a file of a folder is written as a whole, and keeps its mode', async () => {
  const { folder } = await brand()
  await chmod(join(folder, PAGE), 0o640)
  const saved = { ok: true, value: { outcome: 'saved', commit: undefined } }
  assert.deepEqual(await save(folder, PAGE, TEXT, '# Other\n'), saved)
  assert.equal(await readFile(join(folder, PAGE), 'utf8'), '# Other\n')
  assert.equal((await stat(join(folder, PAGE))).mode & 0o777, 0o640)
  assert.deepEqual(await save(folder, 'guide/pages/new/tone.md', undefined, '# Tone\n'), saved)
  assert.deepEqual(await save(folder, 'guide/pages/new/tone.md', '# Tone\n', undefined), saved)
  assert.deepEqual(await openFolder(folder, merge).read('guide/pages/new/tone.md'), { ok: true, value: undefined })
})

test('the change of another program is merged, and of the same place shown', async () => {
  const { folder } = await brand()
  const theirs = TEXT.replace('No jargon', 'Never jargon')
  await writeFile(join(folder, PAGE), theirs)
  const merged = await save(folder, PAGE, TEXT, TEXT.replace('Short', 'Plain'))
  assert.ok(merged.ok && merged.value.outcome === 'saved')
  const now = theirs.replace('Short', 'Plain')
  assert.equal(await readFile(join(folder, PAGE), 'utf8'), now)
  const conflict = await save(folder, PAGE, TEXT, TEXT.replace('Short', 'Long'))
  assert.deepEqual(conflict, {
    ok: true,
    value: { outcome: 'conflict', files: [{ path: PAGE, theirs: Buffer.from(now) }] },
  })
})

test('no link leads a save or a reader out of the folder', async () => {
  const { folder, outside } = await brand()
  await symlink(outside, join(folder, 'guide/pages/far'))
  await symlink(join(outside, 'secret.md'), join(folder, 'guide/pages/secret.md'))
  await symlink(join(outside, 'made.md'), join(folder, 'guide/pages/dangling.md'))
  await symlink(join(outside, 'part.md'), join(folder, 'guide/pages/.voice.md.housestyle'))
  for (const path of [
    'guide/pages/far/secret.md',
    'guide/pages/far/new/deep/x.md',
    'guide/pages/secret.md',
    'guide/pages/dangling.md',
    '../x.md',
    'guide/.git/config',
  ]) {
    assert.ok(!(await openFolder(folder, merge).read(path)).ok, path)
    const refused = await save(folder, path, undefined, 'x')
    assert.ok(!refused.ok && refused.problem.code === 'edit_refused', path)
  }
  assert.ok((await save(folder, PAGE, TEXT, 'x')).ok)
  for (const name of ['made.md', 'part.md', 'new']) await assert.rejects(stat(join(outside, name)), name)
  assert.equal(await readFile(join(outside, 'secret.md'), 'utf8'), 'secret')
})

test('a folder that is away is a refusal with a reason', async () => {
  const refused = await save('/nowhere/at/all', PAGE, undefined, 'x')
  assert.ok(!refused.ok)
  assert.match(refused.problem.message, /its folder is missing/)
})
