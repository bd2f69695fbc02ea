import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { type Contents, folderWith, temporaryFolder } from '#test/support/temporary.ts'
import { housestyle } from '../../housestyle.ts'

const BEFORE: Contents = {
  'guide/project.yaml': 'name: Guide\n',
  'guide/pages/index.md': '# Welcome\n\nOne.\n-- signed\n',
  'guide/pages/logo.md': '---\ntitle: Logo\n---\nThe logo.\n',
  'guide/pages/old.md': '# Old\n',
  'guide/styles/colors.yaml':
    '- {name: Blue, hex: 1d70b8, pms: 285 C, inks: {HKS: 41 K}}\n- {name: Ink, hex: "000000"}\n- {name: Red, hex: ff0000}\n',
  'guide/styles/types.yaml': '- {name: Body, size: 16}\n- {name: Heading}\n',
  'guide/files/a.txt': 'a'.repeat(1234),
  'guide/files/b.txt': 'b',
  'guide/files/c.txt': 'c',
}
const AFTER: Contents = {
  'guide/project.yaml': 'name: The guide\nvisibility: public\n',
  'guide/pages/index.md': '# Welcome\n\nTwo.\n',
  'guide/pages/logo.md': '---\ntitle: Our logo\n---\nThe logo.\n',
  'guide/pages/new.md': '# New',
  'guide/styles/colors.yaml':
    '- {name: Ink, hex: "000000"}\n- {name: Blue, hex: "003078"}\n- {name: Green, hex: 00ff00}\n',
  'guide/styles/types.yaml': '- {name: Body, size: 18}\n- {name: Heading}\n',
  'guide/files/a.txt': 'a'.repeat(2_500_000),
  'guide/files/b.txt': 'B',
  'guide/files/d.txt': 'd',
}

const TEXT = `acme/guide: published → draft
~ name: Guide → The guide
~ visibility: private → public
~ order of the colors
~ page index
    @@ -1,4 +1,3 @@
     # Welcome
${'     '}
    -One.
    --- signed
    +Two.
~ page logo
    name: Logo → Our logo
+ page new
    @@ -0,0 +1,1 @@
    +# New
    \\ No newline at end of file
- page old
    @@ -1,1 +0,0 @@
    -# Old
~ color blue
    rgb: 29,112,184 → 0,48,120
    hex: #1d70b8 → #003078
    pms: 285 C → none
    inks: {"HKS":"41 K"} → none
+ color green  #00ff00
- color red  #ff0000
~ type body
    size: 16 → 18
~ file files/a.txt  1.23 kB → 2.5 MB
~ file files/b.txt  other content of the same size
+ file files/d.txt  1 B
- file files/c.txt  1 B
`

const cwd = await temporaryFolder()
const folder = await folderWith(BEFORE, 'acme', cwd)
await housestyle(['import', 'acme'], { cwd })
await housestyle(['publish', '--all'], { cwd })
await rm(folder, { recursive: true })
await folderWith(AFTER, 'acme', cwd)
await housestyle(['import', 'acme'], { cwd })

test('diff prints changed lines of pages, fields of styles and sizes of files', async () => {
  const { status, stdout, stderr } = await housestyle(['diff', 'acme/guide'], { cwd })
  assert.deepEqual([status, stdout, stderr], [0, TEXT, ''])
})

test('diff --json has exactly the keys that scripts rely on', async () => {
  const { stdout } = await housestyle(['diff', 'acme/guide', '1', 'draft', '--json'], { cwd })
  const { pages, ...rest } = JSON.parse(stdout)
  const seen = pages.map(({ diff, ...page }: { diff?: string }) => [page, diff?.split('\n').slice(0, 2)])
  assert.deepEqual(seen, [
    [{ id: 'index', change: 'changed' }, ['--- a/index.md', '+++ b/index.md']],
    [{ id: 'logo', change: 'changed' }, undefined],
    [{ id: 'new', change: 'added' }, ['--- /dev/null', '+++ b/new.md']],
    [{ id: 'old', change: 'removed' }, ['--- a/old.md', '+++ /dev/null']],
  ])
  assert.deepEqual(rest, {
    from: 1,
    to: 'draft',
    name: { from: 'Guide', to: 'The guide' },
    colors: [
      {
        id: 'blue',
        change: 'changed',
        fields: {
          rgb: { from: '29,112,184', to: '0,48,120' },
          hex: { from: '#1d70b8', to: '#003078' },
          pms: { from: '285 C', to: null },
          inks: { from: { HKS: '41 K' }, to: null },
        },
      },
      { id: 'green', change: 'added' },
      { id: 'red', change: 'removed' },
    ],
    types: [{ id: 'body', change: 'changed', fields: { size: { from: 16, to: 18 } } }],
    files: [
      { path: 'files/a.txt', change: 'changed' },
      { path: 'files/b.txt', change: 'changed' },
      { path: 'files/d.txt', change: 'added' },
      { path: 'files/c.txt', change: 'removed' },
    ],
  })
})

test('diff shows what a project translates as project.yaml has it, and what it takes from the original', async () => {
  const guide = { 'guide/styles/colors.yaml': '- {name: Ink, hex: "000000"}\n' }
  const translation = { 'de/project.yaml': 'lang: de\ntranslationOf: guide\n', 'de/pages/index.md': '# Hallo\n' }
  const at = await temporaryFolder()
  await folderWith({ ...guide, ...translation }, 'acme', at)
  await housestyle(['import', 'acme'], { cwd: at })
  const { stdout } = await housestyle(['diff', 'acme/de'], { cwd: at })
  assert.match(stdout, /^~ translationOf: none → guide\n~ inherits: none → colors, types$/m)
})

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

test('diff reports that two states are the same', async () => {
  const { status, stdout, stderr } = await housestyle(['diff', 'acme/guide', '1', 'published'], { cwd })
  assert.deepEqual([status, stdout, stderr], [0, '', 'acme/guide: revision 1 and published are the same\n'])
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
