import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeWhole } from '../../../src/lint/fix/write-file.ts'

const [BEFORE, AFTER] = [Buffer.from('before'), Buffer.from('after')]

test('a file is replaced as a whole, and keeps its mode except setuid and setgid', async () => {
  const { folder, path } = await makeFile()
  await chmod(path, 0o6754)
  assert.deepEqual(await writeWhole(path, AFTER, BEFORE), { ok: true, value: null })
  assert.deepEqual(await readFile(path), AFTER)
  assert.equal((await stat(path)).mode & 0o7777, 0o754)
  assert.deepEqual(await readdir(folder), ['a.css'])
})

test('a file that was changed since it was read stays', async () => {
  const { folder, path } = await makeFile()
  const problem = `cannot write ${path}: it was changed; try again`
  assert.deepEqual(await writeWhole(path, AFTER, Buffer.from('other')), { ok: false, problem })
  assert.deepEqual(await readFile(path), BEFORE)
  assert.deepEqual(await readdir(folder), ['a.css'])
})

test('neither links nor folders are written', async () => {
  const { folder, path } = await makeFile()
  await symlink(path, join(folder, 'link.css'))
  await mkdir(join(folder, 'sub'))
  for (const name of ['link.css', 'sub']) {
    const problem = `cannot write ${join(folder, name)}: it is a link or not a file; name the file itself`
    assert.deepEqual(await writeWhole(join(folder, name), AFTER, BEFORE), { ok: false, problem })
  }
  assert.deepEqual(await readFile(path), BEFORE)
  assert.deepEqual((await readdir(folder)).sort(), ['a.css', 'link.css', 'sub'])
})

test('a missing file is a system error', async () => {
  const { folder } = await makeFile()
  await assert.rejects(writeWhole(join(folder, 'none'), AFTER, BEFORE), { code: 'ENOENT' })
})

async function makeFile() {
  const folder = await mkdtemp(join(tmpdir(), 'lint-write-'))
  const path = join(folder, 'a.css')
  await writeFile(path, BEFORE)
  return { folder, path }
}
