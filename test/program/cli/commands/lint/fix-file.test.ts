import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { diffText } from '#program/cli/commands/lint/fix-file.ts'

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
