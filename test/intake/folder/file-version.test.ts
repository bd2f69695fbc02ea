import assert from 'node:assert/strict'
import { lstatSync } from 'node:fs'
import { rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { fingerprintOf } from '#intake/folder/file-version.ts'
import { folderWith } from '../../support/temporary.ts'

const later = () => Date.now() + 60_000

test('the fingerprint of a file changes when the file is written, replaced or given its old time again', async () => {
  const folder = await folderWith({ 'a.md': 'one', 'b.md': 'two' })
  const path = join(folder, 'a.md')
  const fingerprint = () => fingerprintOf(lstatSync(path), later())
  const fingerprints = [fingerprint()]
  assert.equal(fingerprint(), fingerprints[0])
  const { atime, mtime } = lstatSync(path)
  for (const change of [
    () => writeFile(path, 'two'),
    () => utimes(path, atime, mtime),
    () => rename(join(folder, 'b.md'), path),
  ]) {
    await new Promise(resolve => setTimeout(resolve, 20))
    await change()
    fingerprints.push(fingerprint())
  }
  assert.equal(new Set(fingerprints).size, fingerprints.length)
})

const CASES: [sentence: string, ctimeMs: number, agoMs: number, isThere: boolean][] = [
  ['is unknown if the file was changed just now', 1_700_000_000_123.4, 150, false],
  ['is unknown if the file was changed in the future', 1_700_000_000_123.4, -5000, false],
  ['is known if the file was changed a moment ago', 1_700_000_000_123.4, 250, true],
  ['is known later if times are in whole seconds', 1_700_000_000_000, 3000, false],
  ['is known after that time too', 1_700_000_000_000, 5000, true],
]
for (const [sentence, ctimeMs, agoMs, isThere] of CASES)
  test(`the fingerprint of a file ${sentence}`, async () => {
    const stat = Object.assign(lstatSync(await folderWith({ a: '' })), { ctimeMs, mtimeMs: 0 })
    assert.equal(fingerprintOf(stat, ctimeMs + agoMs) !== undefined, isThere)
  })
