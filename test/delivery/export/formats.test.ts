import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { parse } from 'yaml'
import { COLOR_COLUMNS } from '#brand/color.ts'
import { ALL_TYPE_FIELDS, type ExportOptions } from '#delivery/export/format.ts'
import { FORMATS } from '#delivery/export/formats.ts'
import { exportOf, publishIn } from '../../support/exported.ts'
import { type Axis, INTER, sfnt, variableInter } from '../../support/fonts.ts'
import { golden } from '../../support/golden.ts'
import { URL_OF_SERVICE } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()

/** A brand as texts of files, and fonts as lists of axes, which are empty for one that does not vary. */
type Case = {
  format: string
  brand: Record<string, string | { axes: Axis[] }>
  options?: ExportOptions
  publicUrl?: string
}

/** A colour and a type style with every value, and another value for each field. */
const {
  color: COLOR,
  otherColor: OTHER_COLOR,
  type: TYPE,
  otherType: OTHER_TYPE,
}: Record<'color' | 'otherColor' | 'type' | 'otherType', Record<string, unknown>> = parse(
  await readFile('test/fixtures/export-fields.yaml', 'utf8'),
)

for (const name of 'agents brands design-tokens fonts office-theme palettes style-sheets style-tables'.split(' '))
  golden(`export/${name}`, async ({ format, brand, options, publicUrl = URL_OF_SERVICE }: Case) => {
    const files = Object.entries(brand).map(([path, file]) => [
      path,
      typeof file === 'string' ? file : file.axes.length > 0 ? variableInter(file.axes) : sfnt(INTER),
    ])
    const made = await exportOf(
      temporary,
      await publishIn(temporary, Object.fromEntries(files)),
      format,
      options,
      publicUrl,
    )
    if (!made.ok) return { problem: made.problem }
    const { leftOut } = made.value
    const texts = Array.from(made.value.files, ([path, bytes]) => [sameText(path), textOf(bytes)])
    return { files: Object.fromEntries(texts), ...(leftOut.length > 0 && { leftOut }) }
  })

/** A file as text; if it is none, its bytes in hexadecimal, or their hash if they are many. */
function textOf(content: Uint8Array): string {
  const bytes = Buffer.from(content)
  if (Buffer.from(bytes.toString()).equals(bytes) && !bytes.includes(0)) return sameText(bytes.toString())
  if (bytes.length <= 2000) return bytes.toString('hex')
  return `${createHash('sha256').update(bytes).digest('hex')} of ${bytes.length} bytes`
}

function sameText(text: string): string {
  return text
    .replace(/[0-9a-f]{64}/g, 'SNAPSHOT')
    .replace(/\bw\d+(?=(?:[/-]|__)guide)/g, 'WORKSPACE')
    .replace(/\/files\/[\w-]{32}\//g, '/files/…/')
}

test('each format has a unique id and file name', () => {
  assert.equal(new Set(FORMATS.map(({ id }) => id)).size, FORMATS.length)
  assert.equal(new Set(FORMATS.map(({ file }) => file)).size, FORMATS.length)
})

test('each format always gives the same bytes, and one file unless it is a folder', async () => {
  const acme = {
    'styles/colors.yaml': await readFile('examples/acme/guidelines/styles/colors.yaml'),
    'styles/types.yaml': await readFile('examples/acme/guidelines/styles/types.yaml'),
    'pages/index.md': '# Acme\n',
  }
  const [one, other] = [await publishIn(temporary, acme), await publishIn(temporary, acme)]
  for (const { id, isFolder } of FORMATS) {
    const [first, second] = [await exportOf(temporary, one, id), await exportOf(temporary, other, id)]
    if (!first.ok || !second.ok) continue
    assert.ok(isFolder || first.value.files.size === 1, id)
    assert.deepEqual(withoutState(first.value.files), withoutState(second.value.files), id)
  }
})

/** The workspace of a brand with these styles; all formats export the same. */
function workspaceOf(color: object, type: object): Promise<string> {
  const others = [
    { name: 'Paper', hex: '#faf7f2' },
    { name: 'White', hex: '#fff' },
  ]
  const contents = {
    'styles/colors.yaml': JSON.stringify([color, ...others]),
    'styles/types.yaml': JSON.stringify([type]),
    'pages/index.md': '# Acme\n',
  }
  const key = JSON.stringify(contents)
  const workspace = workspaces.get(key) ?? publishIn(temporary, contents)
  workspaces.set(key, workspace)
  return workspace
}

const workspaces = new Map<string, Promise<string>>()

for (const { id, fields } of FORMATS)
  test(`${id} contains exactly the fields in the table`, async () => {
    const bytes = async (color: object, type: object) => {
      const made = await exportOf(temporary, await workspaceOf(color, type), id)
      return made.ok ? withoutState(made.value.files) : undefined
    }
    const before = await bytes(COLOR, TYPE)
    if (before === undefined) return
    const isExported = async (color: object, type: object) =>
      JSON.stringify(await bytes({ ...COLOR, ...color }, { ...TYPE, ...type })) !== JSON.stringify(before)
    const colors = COLOR_COLUMNS.filter(field => field !== 'rgb')
    const exported = async <Field extends string>(
      candidates: readonly Field[],
      changes: (field: Field) => Promise<boolean>,
    ) => {
      const found: Field[] = []
      for (const field of candidates) if (await changes(field)) found.push(field)
      return found
    }
    assert.deepEqual(
      {
        colors: await exported(colors, field => isExported({ [field]: OTHER_COLOR[field] }, {})),
        types: await exported(ALL_TYPE_FIELDS, field => isExported({}, { [field]: OTHER_TYPE[field] })),
      },
      {
        colors: colors.filter(field => fields.colors.some(each => each === field)),
        types: ALL_TYPE_FIELDS.filter(field => fields.types.some(each => each === field)),
      },
    )
  })

/** Files without the parts that differ with every change and import: the snapshot name and the workspace. */
function withoutState(files: ReadonlyMap<string, Uint8Array>): [path: string, content: string][] {
  const same = (text: string) => text.replace(/[0-9a-f]{64}/g, '').replace(/\bw\d+(?=(?:[/-]|__)guide)/g, '')
  return Array.from(files, ([path, content]) => [same(path), same(Buffer.from(content).toString('latin1'))])
}
