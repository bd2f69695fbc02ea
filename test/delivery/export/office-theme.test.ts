import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { SaxesParser } from 'saxes'
import { OFFICE_COLORS } from '#brand/appearance.ts'
import { slug } from '#brand/ids.ts'
import { fileName } from '#delivery/export/office-theme.ts'
import { exported, type MadeExport } from '../../support/exported.ts'
import { needs } from '../../support/programs.ts'
import { fc } from '../../support/random.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { forAnyBrand } from './hostile-brand.ts'

const temporary = await temporaryStore()
const SCHEMA = fileURLToPath(new URL('../../fixtures/office/scheme.xsd', import.meta.url))
const map = (lines: readonly string[]) => `name: Guide\nvisibility: public\noffice: { ${lines.join(', ')} }\n`
test('xmllint accepts the theme of any brand name by the schema', needs('xmllint'), async () => {
  await forAnyBrand(6, async brand => {
    const names = namesIn(`${brand['styles/colors.yaml']}`)
    fc.pre(names.length > 0)
    const [id = ''] = names
    const lines = OFFICE_COLORS.map(slot => `${slot}: ${JSON.stringify(id)}`)
    const family = JSON.stringify(`${brand['styles/types.yaml']}`.replace(/\p{C}/gu, '').slice(0, 900).toWellFormed())
    const project = map([...lines, `major: ${family}`, `minor: ${family}`])
    const made = await exported(temporary, 'office', { ...brand, 'project.yaml': project })
    for (const xml of Object.values(textsOf(made))) {
      const { status, stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', SCHEMA, '-'], { input: xml })
      assert.equal(status, 0, `${stderr}`)
    }
    const hex = made.colors.find(color => color.id === id)?.hex.slice(1)
    const [colorFile = '', fontFile = ''] = Object.values(textsOf(made))
    assert.deepEqual(new Set(valuesOf(colorFile, 'val').map(value => value.toLowerCase())), new Set([hex]))
    const kept = valuesOf(fontFile, 'typeface').filter(value => value !== '')
    assert.deepEqual(kept, Array(2).fill(JSON.parse(family).trim()))
  })
})

function namesIn(colors: string): string[] {
  const list: { id: string }[] = JSON.parse(colors)
  return list.map(({ id }) => id).filter(id => id !== '' && slug(id) === id)
}

function valuesOf(xml: string, name: string): string[] {
  const values: string[] = []
  const parser = new SaxesParser()
  parser.on('attribute', attribute => {
    if (attribute.name === name) values.push(attribute.value)
  })
  parser.write(xml).close()
  return values
}

function textsOf({ files }: MadeExport): Record<string, string> {
  return Object.fromEntries(Array.from(files, ([path, bytes]) => [path, Buffer.from(bytes).toString()]))
}

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
