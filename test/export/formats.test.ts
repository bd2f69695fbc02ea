import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { FORMATS } from '../../src/export/formats.ts'
import { exporting } from '../support/exported.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()

test('each format has an id and a file of its own', () => {
  assert.equal(new Set(FORMATS.map(({ id }) => id)).size, FORMATS.length)
  assert.equal(new Set(FORMATS.map(({ file }) => file)).size, FORMATS.length)
})

test('each format gives the same bytes each time, and one file unless it is a folder', async () => {
  const acme = {
    'styles/colors.yaml': await readFile('examples/acme/guidelines/styles/colors.yaml'),
    'styles/types.yaml': '- { name: Body, size: 16 }\n',
    'pages/index.md': '# Acme\n',
  }
  for (const { id, isFolder } of FORMATS) {
    const [first, second] = [await exporting(temporary, id, acme), await exporting(temporary, id, acme)]
    if (!first.ok || !second.ok) continue
    assert.ok(isFolder || first.value.files.size === 1, id)
    // The two are projects of different workspaces, so what names them differs.
    assert.deepEqual([...first.value.files.keys()], [...second.value.files.keys()], id)
  }
})
