import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { diffText, replaceFile } from '#program/cli/commands/write/edit-file.ts'

test('a diff has four lines of context, and keeps line ends', () => {
  const before = '0\r\n1\r\n2\r\n3\r\n4\r\na: red;\r\n6\r\n7\r\n8\r\n9'
  assert.equal(
    diffText('web/a.css', before, before.replace('red', '#f00')),
    '--- a/web/a.css\n+++ b/web/a.css\n@@ -2,9 +2,9 @@\n 1\r\n 2\r\n 3\r\n 4\r\n-a: red;\r\n+a: #f00;\r\n 6\r\n 7\r\n 8\r\n 9\n\\ No newline at end of file\n',
  )
})

test('a path with line ends, quotes or backslashes is written as git does', () => {
  assert.match(diffText('a\n"b\\.css', 'a\n', 'b\n'), /^--- "a\/a\\012\\042b\\134\.css"\n\+\+\+ "b\/a\\012/)
})

test('git apply makes the fixed file of a diff, also of one with thousands of changed lines', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lint-diff-'))
  for (const count of [3, 9000]) {
    const before = Array.from({ length: count }, (_, at) => `.a${at} { color: red }\r\n`).join('')
    const after = before.replaceAll(/red(?=.*\r\n.*\r\n)/g, '#f00')
    await writeFile(join(folder, 'a.css'), before)
    await writeFile(join(folder, 'fix.diff'), diffText('a.css', before, after))
    await promisify(execFile)('git', ['apply', 'fix.diff'], { cwd: folder })
    assert.equal(await readFile(join(folder, 'a.css'), 'utf8'), after)
  }
})

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
