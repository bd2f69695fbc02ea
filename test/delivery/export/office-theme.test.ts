import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { SaxesParser } from 'saxes'
import { OFFICE_COLORS } from '#brand/appearance.ts'
import { slug } from '#brand/ids.ts'
import { fileName } from '#delivery/export/office-theme.ts'
import { exported, exporting, type MadeExport } from '../../support/exported.ts'
import { needs } from '../../support/programs.ts'
import { fc } from '../../support/random.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { forAnyBrand } from './hostile-brand.ts'

const temporary = await temporaryStore()
const SCHEMA = fileURLToPath(new URL('../../fixtures/office/scheme.xsd', import.meta.url))
const colors = '- { name: Ink, hex: "#14212b" }\n- { name: Paper, hex: "#faf7f2" }\n'
const map = (lines: readonly string[]) => `name: Guide\nvisibility: public\noffice: { ${lines.join(', ')} }\n`
const SLOTS = OFFICE_COLORS.map((slot, at) => `${slot}: ${at % 2 === 0 ? 'ink' : 'paper'}`)
const FONTS = ['major: IBM Plex Sans', 'minor: "A & B \\"C\\""']

/** The format of files in the Office folder Document Themes: one line after the declaration. */
const THEME_COLORS = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r
<a:clrScheme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Acme – Guide"><a:dk1><a:srgbClr val="14212B"/></a:dk1><a:lt1><a:srgbClr val="FAF7F2"/></a:lt1><a:dk2><a:srgbClr val="14212B"/></a:dk2><a:lt2><a:srgbClr val="FAF7F2"/></a:lt2><a:accent1><a:srgbClr val="14212B"/></a:accent1><a:accent2><a:srgbClr val="FAF7F2"/></a:accent2><a:accent3><a:srgbClr val="14212B"/></a:accent3><a:accent4><a:srgbClr val="FAF7F2"/></a:accent4><a:accent5><a:srgbClr val="14212B"/></a:accent5><a:accent6><a:srgbClr val="FAF7F2"/></a:accent6><a:hlink><a:srgbClr val="14212B"/></a:hlink><a:folHlink><a:srgbClr val="FAF7F2"/></a:folHlink></a:clrScheme>`
const THEME_FONTS = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r
<a:fontScheme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Acme – Guide"><a:majorFont><a:latin typeface="IBM Plex Sans"/><a:ea typeface=""/><a:cs typeface=""/></a:majorFont><a:minorFont><a:latin typeface="A &#38; B &#34;C&#34;"/><a:ea typeface=""/><a:cs typeface=""/></a:minorFont></a:fontScheme>`

test('office.zip has the colours and fonts of project.yaml in the format that Office writes', async () => {
  const made = await exported(temporary, 'office', {
    'project.yaml': map([...SLOTS, ...FONTS]),
    'styles/colors.yaml': colors,
  })
  assert.deepEqual(textsOf(made), {
    'Theme Colors/Acme – Guide.xml': THEME_COLORS,
    'Theme Fonts/Acme – Guide.xml': THEME_FONTS,
  })
  assert.deepEqual(made.leftOut, [])
})

test('a map of only colours or only fonts gives that part, and the export lists the other one', async () => {
  const onlyColors = await exported(temporary, 'office', { 'project.yaml': map(SLOTS), 'styles/colors.yaml': colors })
  assert.deepEqual([...onlyColors.files.keys()], ['Theme Colors/Acme – Guide.xml'])
  assert.deepEqual(onlyColors.leftOut, ['Theme Fonts: office in project.yaml does not set them'])
  const onlyFonts = await exported(temporary, 'office', { 'project.yaml': map(FONTS), 'styles/colors.yaml': colors })
  assert.deepEqual([...onlyFonts.files.keys()], ['Theme Fonts/Acme – Guide.xml'])
})

test('the error for a brand without the map explains how to write one', async () => {
  const made = await exporting(temporary, 'office', { 'styles/colors.yaml': colors })
  assert.match(
    made.ok ? '' : made.problem,
    /^project\.yaml does not assign .*office: \{ dk1: ink, .*minor: IBM Plex Sans \}$/,
  )
})

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
