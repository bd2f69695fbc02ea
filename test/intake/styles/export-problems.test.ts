import assert from 'node:assert/strict'
import test from 'node:test'
import { housestyle } from '../../cli/housestyle.ts'
import { folderWith } from '../../support/temporary.ts'

const folder = await folderWith({
  'styles/colors.yaml': `- { name: Blue, hex: "#00f", cmyk: [84, 39, 0, 28], pms: 285 C, pms2: 285 U }
- { name: Sky, hex: "#9cf", pms: PANTONE 285C }
- { name: Sea, hex: "#048", cmyk: [100, 0, 0, 50], pms: 285 C }
`,
})

test('check --exports reports incomplete or ambiguous exports with their lines, and plain check does not', async () => {
  const found = await housestyle(['check', folder, '--exports', '--json'])
  assert.deepEqual(
    JSON.parse(found.stdout).map(({ rule, line, path }: Record<string, unknown>) => [rule, line, path]),
    [
      ['export-cmyk-missing', 2, 'styles/colors.yaml'],
      ['export-ink-names', 2, 'styles/colors.yaml'],
    ],
  )
  assert.equal(found.status, 0)
  assert.equal((await housestyle(['check', folder, '--exports', '--strict'])).status, 1)
  assert.deepEqual(JSON.parse((await housestyle(['check', folder, '--strict', '--json'])).stdout), [])
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
