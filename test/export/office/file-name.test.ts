import assert from 'node:assert/strict'
import test from 'node:test'
import { fileName } from '../../../src/export/office/file-name.ts'

const names: [name: string, file: string][] = [
  ['Acme – Brand guidelines', 'Acme – Brand guidelines'],
  ['a/b\\c:d*e?f"g<h>i|j', 'a-b-c-d-e-f-g-h-i-j'],
  ['../../etc/passwd', '-..-etc-passwd'],
  ['.hidden. ', 'hidden'],
  ['\u202eexe', 'exe'],
  ['con', 'con_'],
  ['Nul.x', 'Nul_.x'],
  ['Conrad', 'Conrad'],
  ['...', 'Brand'],
  ['é'.repeat(100), 'é'.repeat(80)],
]
for (const [name, file] of names)
  test(`the theme file of ${JSON.stringify(name.slice(0, 40))} is called ${JSON.stringify(file.slice(0, 40))}`, () =>
    assert.equal(fileName(name), file))
