import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { replaceFile } from '#program/cli/commands/lint/fix-file.ts'

const [BEFORE, AFTER] = [Buffer.from('before'), Buffer.from('after')]

test('a file is replaced as a whole, and keeps its mode except setuid and setgid', async () => {
  const { folder, path } = await makeFile()
  await chmod(path, 0o6754)
  assert.deepEqual(await replaceFile(path, AFTER, BEFORE), { ok: true, value: null })
  assert.deepEqual(await readFile(path), AFTER)
  assert.equal((await stat(path)).mode & 0o7777, 0o754)
  assert.deepEqual(await readdir(folder), ['a.css'])
})

test('a file that was changed since it was read stays', async () => {
  const { folder, path } = await makeFile()
  const problem = `cannot write ${path}: it was changed; try again`
  assert.deepEqual(await replaceFile(path, AFTER, Buffer.from('other')), { ok: false, problem })
  assert.deepEqual(await readFile(path), BEFORE)
  assert.deepEqual(await readdir(folder), ['a.css'])
})

test('a read-only file is not written, and a folder is not read', async () => {
  const { folder, path } = await makeFile()
  await chmod(path, 0o444)
  const problem = `cannot write ${path}: it is read-only; allow writing, and try again`
  assert.deepEqual(await replaceFile(path, AFTER, BEFORE), { ok: false, problem })
  assert.deepEqual(await readFile(path), BEFORE)
  await mkdir(join(folder, 'sub'))
  await assert.rejects(replaceFile(join(folder, 'sub'), AFTER, BEFORE), { name: 'Unreadable', code: 'not a file' })
  assert.deepEqual((await readdir(folder)).sort(), ['a.css', 'sub'])
})

async function makeFile() {
  const folder = await mkdtemp(join(tmpdir(), 'lint-write-'))
  const path = join(folder, 'a.css')
  await writeFile(path, BEFORE)
  return { folder, path }
}
