import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { housestyle } from '../../program/cli/housestyle.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { openEditor } from '../../support/yaml-language-server.ts'

const folder = join(await temporaryFolder(), 'acme')
await housestyle(['init', folder])
const editor = await openEditor()
after(editor.close)

for (const path of ['workspace.yaml', 'project.yaml', 'styles/colors.yaml', 'styles/types.yaml', 'files/files.yaml'])
  test(`an editor accepts the ${path} that init writes, and knows its keys`, async () => {
    const written = join(folder, path)
    const text = readFileSync(written, 'utf8')
    assert.deepEqual(await editor.marks(written, text), [])
    const wrong = join(folder, path.replace(/[^/]+$/, 'wrong-$&'))
    const marks = await editor.marks(wrong, `${text.split('\n', 1)}\n${NONSENSE[path]}\n`)
    assert.match(marks.map(([, message]) => message).join('\n'), /Property colour is not allowed/)
  })

const NONSENSE: Readonly<Record<string, string>> = {
  'workspace.yaml': 'colour: a',
  'project.yaml': 'colour: a',
  'styles/colors.yaml': '- { name: A, hex: fff, colour: a }',
  'styles/types.yaml': '- { name: A, colour: a }',
  'files/files.yaml': 'a.svg: { colour: a }',
}

test('an editor accepts numbers for hex, pms and weight, marks mistakes, explains keys and completes', async () => {
  const colors = join(folder, 'styles/other-colors.yaml')
  const text = `# yaml-language-server: $schema=../_schemas/colors.json
- name: Black
  hex: 000000
  pms: 0123
  ral: 5015
  cmyk: 84,39,0,28
- name: 12
  rgb: [1, 2]
- name: White
  hex: #fff
  
`
  assert.deepEqual(
    (await editor.marks(colors, text)).sort(([a], [b]) => a - b),
    [
      [7, 'Array has too few items. Expected 3 or more.'],
      [9, 'Incorrect type. Expected one of string, number.'],
    ],
  )
  assert.match(await editor.hover(colors, 3, 3), /The Pantone reference, as printed\./)
  const offered = await editor.completions(colors, 10, 2)
  for (const key of ['cmyk', 'pms', 'tintOf']) assert.ok(offered.includes(key), key)
  const types = join(folder, 'styles/other-types.yaml')
  const lines =
    '# yaml-language-server: $schema=../_schemas/types.json\n- name: A\n  weight: 600\n  size: 16px\n  casing: \n'
  const marks = await editor.marks(types, lines)
  assert.ok(marks.some(([line, message]) => line === 3 && message === 'Write a number, above 0, at most 1,000,000.'))
  const words = await editor.completions(types, 4, 10)
  assert.deepEqual(words, ['none', 'uppercase', 'lowercase', 'capitalize', 'small-caps'])
})
