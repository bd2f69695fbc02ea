import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { housestyle } from '../../../program/cli/housestyle.ts'
import { exported, onlyText } from '../../../support/exported.ts'
import { needs } from '../../../support/programs.ts'
import { testService } from '../../../support/service.ts'
import { folderWith } from '../../../support/temporary.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { forAnyBrand } from '../hostile-brand.ts'

const temporary = await temporaryStore()

/** The Debian Python that its Pillow package is for. */
const PYTHON = '/usr/bin/python3'
const pillow = needs('Pillow')

test('Pillow reads every colour of a palette with any names', pillow, async () => {
  await forAnyBrand(6, async brand => {
    const made = await exported(temporary, 'gpl', brand)
    const [bytes] = made.files.values()
    const expected = made.colors.map(({ rgb }) => rgb)
    assert.deepEqual(readByPillow(bytes ?? Buffer.alloc(0)), expected)
    const entries = onlyText(made)
      .split('\n')
      .flatMap(line => /^[ \d]+\t(.*)$/su.exec(line)?.[1] ?? [])
    assert.equal(entries.length, made.colors.length)
    for (const [at, { name }] of made.colors.entries())
      assert.ok(entries[at] === name || name.startsWith(entries[at]?.replace(/…$/, '') ?? '\0'), name)
  })
})

const LONG_PALETTE = Array.from(
  { length: 600 },
  (_, at) => `- { name: Colour ${at}, rgb: [${at % 256}, ${at >> 8}, 7] }\n`,
).join('')

test('a long palette is written whole, and also in pieces that Pillow reads to the end', pillow, async () => {
  const folder = await folderWith({ 'project.yaml': 'visibility: public\n', 'styles/colors.yaml': LONG_PALETTE })
  const out = join(folder, '..', 'out')
  await mkdir(out)
  const { status, stderr } = await housestyle([
    'export',
    '--folder',
    folder,
    '--to',
    'gpl',
    '--out',
    join(out, 'all.gpl'),
  ])
  assert.equal(status, 0, stderr)
  assert.deepEqual((await readdir(out)).sort(), ['all-1.gpl', 'all-2.gpl', 'all-3.gpl', 'all.gpl'])
  const whole = await readFile(join(out, 'all.gpl'), 'utf8')
  assert.equal(whole.match(/\tColour \d+$/gm)?.length, 600)
  assert.match(whole, /^# for readers that stop after 256 lines: palette-1\.gpl to palette-3\.gpl$/m)
  const pieces = await Promise.all([1, 2, 3].map(number => readFile(join(out, `all-${number}.gpl`))))
  const found = pieces.flatMap(readByPillow)
  const expected = Array.from({ length: 600 }, (_, at) => `${at % 256},${at >> 8},7`)
  assert.deepEqual(found, expected)
  assert.match(`${pieces[1]}`, /^Name: 2 of 3: /m)
})

test('only the pieces of a long palette are served under piece names', async () => {
  await temporary.publishing('many/guide', {
    'guide/project.yaml': 'visibility: public\n',
    'guide/styles/colors.yaml': LONG_PALETTE,
  })
  const { ask } = await testService(temporary)
  const answers = ['palette', 'palette-1', 'palette-3', 'palette-4', 'palette-0', 'styles-1'].map(async name => {
    const { status, bytes } = await ask(`/many/guide/-/exports/${name}.gpl`)
    return status === 200
      ? Buffer.from(bytes)
          .toString()
          .match(/\tColour/g)?.length
      : status
  })
  const counts = await Promise.all(answers)
  assert.deepEqual(counts.toSpliced(1, 2), [600, 404, 404, 404])
  assert.ok(counts.slice(1, 3).every(count => count !== undefined && count > 0 && count < 256))
})

const SCRIPT = `import json, sys
from PIL.GimpPaletteFile import GimpPaletteFile
palette, mode = GimpPaletteFile(sys.stdin.buffer).getpalette()
print(json.dumps([list(palette[at:at + 3]) for at in range(0, len(palette), 3)]))`

/** Pillow returns grey for each line without a colour, which are the lines of the head. */
function readByPillow(file: Uint8Array): string[] {
  const read: number[][] = JSON.parse(execFileSync(PYTHON, ['-c', SCRIPT], { input: file, encoding: 'utf8' }))
  const lines = Buffer.from(file).toString().split('\n').slice(1)
  const isColor = (at: number) => /^[ \d]+\t/.test(lines[at] ?? '')
  return read.filter((_, at) => isColor(at)).map(channels => channels.join())
}
