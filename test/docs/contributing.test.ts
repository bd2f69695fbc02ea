import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { blocksOf } from './blocks.ts'

test('the print value in CONTRIBUTING can be applied, and takes at most four edits of src', () => {
  const [block] = blocksOf(readFileSync('CONTRIBUTING.md', 'utf8')).filter(({ language }) => language === 'diff')
  const input = block?.text ?? ''
  execFileSync('git', ['apply', '--check', '-'], { input })
  const edits = input
    .split(/^diff --git /m)
    .flatMap(file => (file.startsWith('a/src/') ? file.split(/^@@ /m).slice(1) : []))
  assert.ok(edits.length > 0 && edits.length <= 4)
})
