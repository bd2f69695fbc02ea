import assert from 'node:assert/strict'
import test from 'node:test'
import { forAnyBrand } from '../../delivery/export/hostile-brand.ts'
import { housestyle } from '../../program/cli/housestyle.ts'
import { collection, INTER, interWith } from '../../support/fonts.ts'
import { folderWith } from '../../support/temporary.ts'

const folder = await folderWith({
  'styles/colors.yaml': `- { name: Blue, hex: "#00f", cmyk: [84, 39, 0, 28], pms: 285 C, pms2: 285 U }
- { name: Sky, hex: "#9cf", pms: PANTONE 285C }
- { name: Sea, hex: "#048", cmyk: [100, 0, 0, 50], pms: 285 C, inks: { HKS: 41 K, NCS: S 1080-Y80R } }
- { name: Ice, hex: "#def", cmyk: [10, 0, 0, 0], inks: { hks: 41K, NCS: S 1080-Y80R } }
`,
})

test('check --exports reports incomplete or ambiguous exports with their lines, and plain check does not', async () => {
  const found = await housestyle(['check', folder, '--exports', '--json'])
  const seen = JSON.parse(found.stdout).map(({ rule, line, path }: Record<string, unknown>) => [rule, line, path])
  assert.deepEqual(seen, [
    ['export-cmyk-missing', 2, 'styles/colors.yaml'],
    ['ink-spelling', 2, 'styles/colors.yaml'],
    ['export-ink-names', 4, 'styles/colors.yaml'],
  ])
  assert.equal(found.status, 0)
  assert.equal((await housestyle(['check', folder, '--exports', '--strict'])).status, 1)
  assert.equal(JSON.parse((await housestyle(['check', folder, '--strict', '--json'])).stdout).length, 1)
})

test('check --exports names the ids that have another name in a Tailwind theme', async () => {
  const clashing = await folderWith({
    'styles/colors.yaml':
      '- { name: Ink, hex: "#000" }\n- { name: 红 rot, hex: "#f00" }\n- { name: Right, hex: "#0f0" }\n',
    'styles/types.yaml': '- { name: Ink, size: 16 }\n- { name: Body, size: 16 }\n',
  })
  const { stdout } = await housestyle(['check', clashing, '--exports', '--json'])
  const named = (message: unknown) => /called "(.*?)"/.exec(String(message))?.[1]
  assert.deepEqual(
    JSON.parse(stdout).map(({ rule, line, message }: Record<string, unknown>) => [rule, line, named(message)]),
    [
      ['export-tailwind-name', 2, 'u7ea2-rot'],
      ['export-tailwind-name', 3, 'color-right'],
      ['export-tailwind-name', 1, 'ink-type'],
    ],
  )
})

test('CMYK is not required while no colour has it', async () => {
  const screen = await folderWith({ 'styles/colors.yaml': '- { name: Blue, hex: "#00f" }\n' })
  assert.deepEqual(JSON.parse((await housestyle(['check', screen, '--exports', '--json'])).stdout), [])
})

test('check --exports reports what each export leaves out of a style, and nothing else', async () => {
  let total = 0
  await forAnyBrand(3, async brand => {
    const folder = await folderWith(brand)
    const { stdout } = await housestyle(['check', folder, '--exports', '--json'])
    const findings: { rule: string; message: string }[] = JSON.parse(stdout)
    const found = new Map<string, number>()
    for (const { rule, message } of findings) {
      const [, formats = '', reason = ''] = /^".*?" in ([a-z -]+): (.*)$/.exec(message) ?? []
      if (rule !== 'export-left-out') continue
      for (const format of formats.split(' and ')) {
        const key = `${format}: ${reason}`
        found.set(key, (found.get(key) ?? 0) + 1)
      }
    }
    const omitted = new Map<string, number>()
    for (const format of ['dtcg', 'dtcg-legacy', 'css', 'tailwind', 'scss', 'ase', 'gpl', 'csv', 'csv-types', 'json']) {
      const { status, stderr } = await housestyle(['export', '--folder', folder, '--to', format])
      assert.equal(status, 0, stderr)
      for (const [, count, reason] of stderr.matchAll(
        /^left out of [^ ]+: (\d+) (?:colour|type style)s? \(.*?\): (.*)$/gm,
      )) {
        const key = `${format}: ${reason}`
        omitted.set(key, (omitted.get(key) ?? 0) + Number(count))
      }
    }
    assert.deepEqual(new Map([...found].sort()), new Map([...omitted].sort()))
    total += found.size
  })
  assert.ok(total > 0)
})

test('check --exports reports a font collection, which no style sheet can use', async () => {
  const fonts = await folderWith({ 'files/pair.ttc': collection([INTER, INTER]) })
  const { stdout } = await housestyle(['check', fonts, '--exports', '--json'])
  const findings: { rule: string; path: string }[] = JSON.parse(stdout)
  const paths = findings.filter(({ rule }) => rule === 'export-left-out').map(({ path }) => path)
  assert.deepEqual(paths, ['files/pair.ttc'])
})

test('check --exports reports a font whose OS/2 table forbids embedding', async () => {
  const table = Buffer.from(INTER.get('OS/2') ?? [])
  table.writeUInt16BE(2, 8)
  const fonts = await folderWith({ 'files/closed.ttf': interWith({ 'OS/2': table }) })
  const { stdout } = await housestyle(['check', fonts, '--exports', '--json'])
  const findings: { rule: string; severity: string; path: string }[] = JSON.parse(stdout)
  const seen = findings.map(({ rule, severity, path }) => [rule, severity, path])
  assert.deepEqual(seen, [['export-font-rights', 'warning', 'files/closed.ttf']])
})
