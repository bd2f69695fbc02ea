import assert from 'node:assert/strict'
import { lstatSync } from 'node:fs'
import test from 'node:test'
import { fingerprintOf } from '#intake/folder/file-version.ts'
import { folderWith } from '../../support/temporary.ts'

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
