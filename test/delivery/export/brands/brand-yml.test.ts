import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { isObject } from '#platform/base/object.ts'
import { exported, onlyText } from '../../../support/exported.ts'
import { sfnt } from '../../../support/sfnt.ts'
import type { Contents } from '../../../support/temporary.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { INTER, variableInter } from '../../../support/variable-font.ts'
import { forAnyBrand } from '../hostile-brand.ts'

const temporary = await temporaryStore()
const isValid = officialSchema()

const BRAND: Contents = {
  'project.yaml': `name: Guide
visibility: public
theme: { logo: files/logo/acme.svg, logoDark: files/logo/acme-white.svg, icon: files/mark.svg, accent: signal, ground: paper, body: copy }
`,
  'pages/index.md': '---\ndescription: What Acme stands for.\n---\n# Acme\n',
  'styles/colors.yaml': `- { name: Signal, hex: "#cc3a06", pms: 179 C }
- { name: Paper, hex: "#faf7f2" }
- { name: "no", hex: "#14212b" }
- { name: Danger, hex: "#a8201a" }
`,
  'styles/types.yaml': `- { name: Heading, family: Inter, size: 40, weight: 700, leading: 1.1 }
- { name: Copy, family: Inter, size: 16, weight: 450, leading: 1.5 }
- { name: Code, family: Courier, size: 14, weight: 400, leading: 1.4 }
- { name: Quote, family: Inter, size: 20 }
`,
  'files/logo/acme.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="1"/>',
  'files/logo/acme-white.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="1" id="w"/>',
  'files/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  'files/files.yaml': 'logo/acme.svg: { description: Acme }\n',
  'files/fonts/inter.ttf': sfnt(INTER),
  'files/fonts/variable.ttf': variableInter([['wght', 100, 400, 900]]),
  'files/fonts/wide.ttf': variableInter([['wdth', 110, 120, 125]]),
  'files/fonts/OFL.txt': 'SIL Open Font License',
}

test('_brand.yml has names, logos by size, the palette with roles, fonts, and text by role', async () => {
  const made = await exported(temporary, 'brand-yml', BRAND)
  const file = read(onlyText(made))
  const guide = file.meta.link
  assert.match(guide, /^http:\/\/brand\.test\/w\d+\/guide$/)
  assert.deepEqual(file.meta, {
    name: { short: 'Acme', full: 'Acme – Guide' },
    link: guide,
    description: 'What Acme stands for.',
  })
  const { images, ...sizes } = file.logo
  assert.deepEqual(sizes, { small: 'mark-svg', medium: { light: 'logo-acme-svg', dark: 'logo-acme-white-svg' } })
  assert.equal(images['logo-acme-svg'].alt, 'Acme')
  for (const { path } of Object.values<{ path: string }>(images)) assert.ok(path.startsWith(`${guide}/-/files/`))
  assert.deepEqual(file.color, {
    palette: { signal: '#cc3a06', paper: '#faf7f2', no: '#14212b', danger: '#a8201a' },
    background: 'paper',
    primary: 'signal',
    danger: '#a8201a',
  })
  const { fonts, ...text } = file.typography
  assert.deepEqual(text, {
    base: { family: 'Inter', size: '16px', 'line-height': 1.5 },
    headings: { family: 'Inter', weight: 700, 'line-height': 1.1 },
    monospace: { family: 'Courier', size: '14px', weight: 400 },
  })
  const seen = fonts.map(({ files, ...font }: { files: { path: string }[] }) => [
    font,
    files.map(({ path, ...one }) => [path.split('/').at(-1), one]),
  ])
  assert.deepEqual(seen, [
    [
      { family: 'Inter', source: 'file' },
      [
        ['inter.ttf', { weight: 400 }],
        ['variable.ttf', {}],
      ],
    ],
  ])
})

test('_brand.yml says what it has no place for', async () => {
  const { leftOut } = await exported(temporary, 'brand-yml', BRAND)
  assert.deepEqual(leftOut, [
    '1 font (files/fonts/wide.ttf): the format has no widths',
    '1 value (weight): the format has no place for it in base, and weights only in hundreds',
    '1 value (size): the format has no place for it in headings, and weights only in hundreds',
    '1 value (line-height): the format has no place for it in monospace, and weights only in hundreds',
    '1 type style (quote): the format has only base, headings and monospace',
  ])
})

test('with --copy, the logos, the fonts and their licences are next to _brand.yml', async () => {
  const { files } = await exported(temporary, 'brand-yml', BRAND, { copy: true })
  const names = ['OFL.txt', '_brand.yml', 'acme-white.svg', 'acme.svg', 'inter.ttf', 'mark.svg', 'variable.ttf']
  assert.deepEqual([...files.keys()].sort(), names)
  const file = read(Buffer.from(files.get('_brand.yml') ?? []).toString())
  assert.equal(file.logo.images['logo-acme-svg'].path, 'acme.svg')
  assert.equal(file.typography.fonts[0].files[0].path, 'inter.ttf')
})

test('names in the palette are valid in Sass, and every colour keeps its own', async () => {
  const made = await exported(temporary, 'brand-yml', {
    'styles/colors.yaml': `- { name: "100", hex: "#010000" }
- { name: Color 100, hex: "#020000" }
- { name: Кобальт, hex: "#030000" }
- { name: Мята, hex: "#040000" }
`,
  })
  assert.deepEqual(read(onlyText(made)).color.palette, {
    'color-100-2': '#010000',
    'color-100': '#020000',
    u43au43eu431u430u43bu44cu442: '#030000',
    u43cu44fu442u430: '#040000',
  })
  const text = made.leftOut.join()
  assert.match(text, /^3 colours \(100, кобальт, мята\): names in the palette become Sass variables of a-z/)
})

test('_brand.yml of any brand is valid YAML 1.1 and 1.2, with all colours', async () => {
  await forAnyBrand(20, async brand => {
    const made = await exported(temporary, 'brand-yml', brand)
    const file = read(onlyText(made))
    assert.equal(Object.keys(file.color?.palette ?? {}).length, made.colors.length)
    for (const key of Object.keys(file.color?.palette ?? {})) assert.match(key, /^[a-z][a-z0-9-]*$/)
  })
})

/** The values of a valid `_brand.yml`, which are the same in both versions of YAML. */
function read(text: string) {
  const file = parse(text)
  assert.deepEqual(parse(text, { version: '1.1' }), file)
  const isOk: boolean = isValid(file)
  assert.ok(isOk, JSON.stringify(isValid.errors))
  return file
}

/** The official schema writes objects in a form that JSON Schema does not know, and lacks a definition. */
function officialSchema() {
  const schema = JSON.parse(readFileSync('test/fixtures/brand-yml/brand.schema.json', 'utf8'), (_, value) =>
    isObject(value) && isObject(value.object) ? objectSchema(value.object) : value,
  )
  schema.$defs.LineHeightNumberString = { type: ['number', 'string'] }
  return new Ajv({ strict: false, allErrors: true }).compile({ ...schema, $schema: undefined })
}

/** Only the palette and the images have names of the author; the metadata may have more fields. */
function objectSchema({ properties }: Record<string, unknown>) {
  const names = isObject(properties) ? Object.keys(properties) : []
  return { type: 'object', properties, additionalProperties: names.length === 0 || names.includes('link') }
}
