import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { golden } from '#test/support/golden.ts'
import { folderWith, temporaryFolder } from '#test/support/temporary.ts'
import { housestyle } from '../../housestyle.ts'
import { FOLDERS, session } from '../../session.ts'

const cwd = await temporaryFolder()
const folder = await folderWith(FOLDERS['diff before'] ?? {}, 'acme', cwd)
await housestyle(['import', 'acme'], { cwd })
await housestyle(['publish', '--all'], { cwd })
await rm(folder, { recursive: true })
await folderWith(FOLDERS['diff after'] ?? {}, 'acme', cwd)
await housestyle(['import', 'acme'], { cwd })

golden('cli/diff', session)

for (const [colorTerm, blue, dark] of [
  ['truecolor', '2;29;112;184', '2;0;48;120'],
  ['', '5;25', '5;24'],
] as const)
  test(`diff colours lines and shows swatches of colours on a terminal${colorTerm && ` of all colours`}`, async () => {
    const env = { COLORTERM: colorTerm }
    const { stdout } = await housestyle(['diff', 'acme/guide'], { cwd, env }, { hasColor: { out: true, err: true } })
    const lines = stdout.replaceAll('\u001b', '␛').split('\n')
    for (const line of [
      '␛[33m~ page index␛[39m',
      '    ␛[36m@@ -1,4 +1,3 @@␛[39m',
      '     # Welcome',
      '    ␛[31m-One.␛[39m',
      '    ␛[32m+Two.␛[39m',
      `    hex: ␛[48;${blue}m  ␛[49m #1d70b8 → ␛[48;${dark}m  ␛[49m #003078`,
    ])
      assert.ok(lines.includes(line), line)
  })

test('git can apply the output of diff', async () => {
  const { stdout } = await housestyle(['diff', 'acme/guide', '--json'], { cwd })
  const diffs: { diff?: string }[] = JSON.parse(stdout).pages
  const folder = await folderWith({ 'index.md': '# Welcome\n\nOne.\n-- signed\n', 'old.md': '# Old\n' })
  const input = diffs.map(({ diff = '' }) => diff).join('')
  execFileSync('git', ['apply', '--unsafe-paths', `--directory=${folder}`, '-'], { cwd: folder, input })
  const read = (name: string) => execFileSync('cat', [join(folder, name)]).toString()
  assert.deepEqual([read('index.md'), read('new.md')], ['# Welcome\n\nTwo.\n', '# New'])
})
