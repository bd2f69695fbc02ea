import assert from 'node:assert/strict'
import test from 'node:test'
import { housestyle } from '../../program/cli/housestyle.ts'
import { folderWith } from '../../support/temporary.ts'

const folder = await folderWith({
  'styles/colors.yaml':
    '- { name: Blue, hex: "#00f", cmyk: [84, 39, 0, 28], pms: 285 C }\n- { name: Sky, hex: "#9cf", use: Grounds }\n',
  'styles/types.yaml': '- { name: Body, size: 16, sample: Hello }\n',
})
const exportTo = (format: string) => housestyle(['export', '--folder', folder, '--to', format])

for (const [format, said] of [
  ['css', ['use of colours', 'sample of type styles']],
  ['gpl', ['cmyk, pms, use of colours']],
  ['csv', []],
  ['dtcg', []],
] as const)
  test(`stderr and the head of the file list the authored values that ${format} omits`, async () => {
    const { status, stdout, stderr } = await exportTo(format)
    assert.equal(status, 0)
    for (const each of said) {
      assert.match(stderr, new RegExp(`^left out of [^ ]+: ${each}: the format has no place for them$`, 'm'))
      assert.ok(stdout.includes(`left out: ${each}`), stdout.slice(0, 600))
    }
    if (said.length === 0) assert.doesNotMatch(stderr, /no place/)
  })
