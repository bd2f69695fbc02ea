import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { folderWith, temporaryFolder } from '#test/support/temporary.ts'
import { housestyle, MAIN } from '../../housestyle.ts'

for (const name of ['docs', '中文', 'My "Brand": {x}', 'n'.repeat(80), 'our brand: \'so\' "called" # 2'])
  test(`init makes a folder with a theme and without findings, even one named ${name.slice(0, 20)}`, async () => {
    const cwd = await temporaryFolder()
    const { status, stdout } = await housestyle(['init', name], { cwd })
    assert.equal(status, 0)
    assert.match(stdout, /project\.yaml\n/)
    const checked = await housestyle(['check', name, '--strict'], { cwd })
    assert.deepEqual([checked.status, checked.stdout], [0, ''])
    assert.match(readFileSync(join(cwd, name, 'project.yaml'), 'utf8'), /\ntheme:\n/)
  })

test('init prints a command that can be pasted for any folder name', async () => {
  const { stderr } = await housestyle(['init', "it's new"], { cwd: await temporaryFolder() })
  assert.equal(stderr, "to see it:\nnext: housestyle dev 'it'\\''s new'\n")
})

test('each YAML file that init writes names its schema, which is in the folder', async () => {
  const folder = join(await temporaryFolder(), 'acme')
  const { files } = JSON.parse((await housestyle(['init', folder, '--json'])).stdout)
  const leads = files.flatMap((path: string) => {
    const text = readFileSync(join(folder, path), 'utf8')
    const [, schema = 'none'] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? []
    return path.endsWith('.yaml') ? [[path, join(dirname(path), schema)]] : []
  })
  assert.deepEqual(leads, [
    ['workspace.yaml', '_schemas/workspace.json'],
    ['project.yaml', '_schemas/project.json'],
    ['styles/colors.yaml', '_schemas/colors.json'],
    ['styles/types.yaml', '_schemas/types.json'],
    ['files/files.yaml', '_schemas/files.json'],
  ])
  const ajv = new Ajv({ allowUnionTypes: true, strictTypes: false, strictRequired: false })
  ajv.addKeyword({ keyword: 'patternErrorMessage', schemaType: 'string' })
  for (const [path = '', at = ''] of leads) {
    const schema = readFileSync(join(folder, at), 'utf8')
    const written = new URL(at.replace(/^_/, '../../../../../'), import.meta.url)
    assert.equal(schema, readFileSync(written, 'utf8'))
    const accepts = ajv.compile(JSON.parse(schema))
    assert.ok(accepts(parse(readFileSync(join(folder, path), 'utf8'))), `${path}: ${ajv.errorsText(accepts.errors)}`)
  }
})

const TOKENS = JSON.stringify({
  color: {
    $type: 'color',
    ink: { $value: '#16202c' },
    sky: { $value: '{color.ink}' },
    dim: { $value: '{color.none}' },
  },
  typography: { body: { $type: 'typography', $value: { fontFamily: 'Inter', fontSize: '16px', lineHeight: 1.5 } } },
  shadow: { card: { $type: 'shadow', $value: {} } },
})

test('init --from writes a folder with the styles of other tools, and reports the parts that it did not understand', async () => {
  const parent = await temporaryFolder()
  writeFileSync(join(parent, 'tokens.json'), TOKENS)
  writeFileSync(join(parent, 'palette.gpl'), 'GIMP Palette\n29 112 184\tBlue\n')
  const made = await housestyle(['init', 'our-brand', '--from', 'tokens.json', '--from', 'palette.gpl'], {
    cwd: parent,
  })
  assert.deepEqual([made.status, made.stdout], [0, 'our-brand/guidelines\n'])
  assert.match(
    made.stderr,
    /^look at these first\n.* {2}fonts: Inter \(guidelines\/styles\/types\.yaml\): the guide has no files of them: put these into files\/fonts\n2 lost\n {2}1 refers to "color\.none", which is not a token of the file: tokens\.json:1 → color\.dim\n {2}1 a single token of the type "shadow" is not a style: tokens\.json:1 → /s,
  )
  const { status, stdout } = await housestyle(['check', 'our-brand', '--json'], { cwd: parent })
  assert.deepEqual([status, JSON.parse(stdout).map(({ rule }: { rule: string }) => rule)], [0, ['font-family-missing']])
  const read = (path: string) => readFileSync(join(parent, 'our-brand/guidelines', path), 'utf8')
  assert.match(read('styles/colors.yaml'), /^# name, and hex or rgb\..*^- name: Blue\n {2}hex: "#1d70b8"$/ms)
  assert.equal(
    read('pages/index.md'),
    `---
title: Welcome
description: How Our brand looks and speaks.
---

# Our brand

Write here what everyone who works with the brand must know first.

- [Colours](../styles/colors.yaml)
- [Type](../styles/types.yaml)
`,
  )
})

test('a style file gives the same folder and report as the folder that has it, also with values for dark', async () => {
  const sheet = `:root { --ink: #16202c; --paper: light-dark(#ffffff, #101418); --gap: calc(1px + 2px) }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eef4 } }
`
  const cwd = await folderWith({ 'source/site.css': sheet, 'source/none.csv': 'name,hex\n' })
  for (const [name, source, exclude] of [
    ['a', 'source/site.css', 'nothing'],
    ['b', 'source', 'none.csv'],
  ] as const) {
    const args = ['init', `${name}/brand`, '--from', source, '--exclude', exclude, '--json']
    const { stdout } = await housestyle(args, { cwd })
    const { folder: _, leftOut, ...report } = JSON.parse(stdout)
    assert.equal(leftOut.length, name === 'a' ? 0 : 1)
    writeFileSync(join(cwd, `${name}.json`), JSON.stringify(report))
  }
  const read = (path: string) => readFileSync(join(cwd, path), 'utf8')
  assert.equal(read('a.json'), read('b.json'))
  const colors = 'brand/guidelines/styles/colors.yaml'
  assert.equal(read(join('a', colors)), read(join('b', colors)))
  const values = parse(read(join('a', colors))).map(({ hex, dark }: Record<string, string>) => [hex, dark])
  assert.deepEqual(values, [
    ['#16202c', '#e8eef4'],
    ['#ffffff', '#101418'],
  ])
})

test('init --from reads stdin, and prints its report as JSON', async () => {
  const folder = join(await temporaryFolder(), 'acme')
  const child = spawn(process.execPath, [MAIN, 'init', folder, '--from', '-', '--json'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.end(TOKENS)
  const { projects, merged, lost } = JSON.parse(await text(child.stdout))
  assert.deepEqual(projects, [{ project: 'guidelines', pages: 1, colors: 2, types: 1, files: 0 }])
  assert.deepEqual(merged, [{ from: 'stdin.json', into: 'guidelines/styles/colors.yaml' }])
  assert.deepEqual(
    lost.map(({ text }: { text: string }) => text),
    ['color.dim', 'shadow.card: {}'],
  )
})

test('an unreadable style file stops no other one, and a file is read by its format although another has its name', async () => {
  const cwd = await folderWith({
    'cut.ase': 'ASEF\0\x01\0\0\0\0\0\x01',
    'words.txt': 'Words\n',
    'none.css': '',
    'palette.gpl': 'GIMP Palette\n29 112 184\tBlue\n',
    'b/palette.gpl': 'GIMP Palette\n0 128 128\tTeal\n',
    'b/colours.yaml': 'color: { palette: { sea: "#001122" } }',
    'b/.theme.config.json': '{ "sand": { "$type": "color", "$value": "#eeddcc" } }',
  })
  const names = ['cut.ase', 'words.txt', 'none.css', 'palette.gpl', 'b/palette.gpl']
  const sources = [...names, 'b/colours.yaml', 'b/.theme.config.json'].flatMap(name => ['--from', name])
  const { stdout } = await housestyle(['init', 'acme', ...sources, '--json'], { cwd })
  const { projects, leftOut, placed, merged, lost } = JSON.parse(stdout)
  assert.deepEqual(projects, [{ project: 'guidelines', pages: 1, colors: 4, types: 0, files: 1 }])
  assert.deepEqual(leftOut, [
    { path: 'cut.ase', reason: 'is cut short: block 1 of 1 is incomplete' },
    { path: 'none.css', reason: 'a style sheet without values' },
  ])
  assert.deepEqual(placed, [{ from: 'words.txt', to: 'guidelines/files/words.txt' }])
  const froms = merged.map(({ from }: { from: string }) => from)
  assert.deepEqual(froms, ['.theme.config.json', 'colours.yaml', 'palette-2.gpl', 'palette.gpl'])
  const [none, words] = lost
  assert.deepEqual(none, { path: 'none.css', line: 1, what: NOT_KNOWN, text: 'has no colour and no type style' })
  assert.deepEqual([words.path, words.what], ['words.txt', NOT_KNOWN])
})

const NOT_KNOWN = 'a file without known styles'

test('init --from writes nothing if a file cannot be read or has no styles, or if the folder is not empty', async () => {
  const parent = await temporaryFolder()
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(parent, name), content)
  write('good.json', TOKENS)
  write('words.txt', '# Words\n')
  write('none.json', '{ "a": { "$type": "shadow", "$value": {} }, "b": { "$type": "color", "$value": "?" } }')
  write('bare.csv', 'name,hex\n')
  write('cut.ase', 'ASEF\0\x01\0\0\0\0\0\x01')
  write('large.gpl', new Uint8Array((16 << 20) + 1))
  write('many.gpl', `GIMP Palette\n${'0 0 0\tx\n'.repeat(10_001)}`)
  mkdirSync(join(parent, 'full'))
  mkdirSync(join(parent, 'empty'))
  write('full/notes.txt', 'mine')
  const before = readdirSync(parent)
  for (const [folder, source, status, why] of [
    ['new', 'words.txt', 2, /^housestyle: words\.txt has an unknown format; supported formats: design tokens/],
    [
      'new',
      'none.json',
      1,
      /^housestyle: the source has nothing .*none\.json: "a": a single token of the type "shadow"/,
    ],
    ['new', 'bare.csv', 1, /^housestyle: bare\.csv has no colour and no type style/],
    ['new', 'cut.ase', 1, /^housestyle: cut\.ase is cut short: block 1 of 1 is incomplete/],
    ['new', 'large.gpl', 1, /^housestyle: large\.gpl has more than 16 MiB: name a smaller file/],
    ['new', 'many.gpl', 1, /^housestyle: there are 10001 colours, but a guide may have at most 10000; split the file/],
    ['new', 'missing.json', 1, /^housestyle: cannot read missing\.json: there is no such file or folder/],
    ['new', 'empty', 1, /^housestyle: the source has nothing that a guide can have/],
    ['full', 'good.json', 1, /^housestyle: full is not empty: name a new folder/],
    ['good.json', 'good.json', 1, /^housestyle: good\.json is not a folder: name a new one/],
  ] as const) {
    const ran = await housestyle(['init', folder, '--from', source], { cwd: parent })
    assert.deepEqual([ran.status, ran.stdout], [status, ''], source)
    assert.match(ran.stderr, why)
    assert.deepEqual([readdirSync(parent), readdirSync(join(parent, 'full'))], [before, ['notes.txt']])
  }
})

test('the files of a resolver document are found by the paths that the user gave', async () => {
  const color = ($value: string) => JSON.stringify({ ink: { $type: 'color', $value } })
  const sources = (name: string) => [{ $ref: name }]
  const resolver = {
    version: '2025.10',
    modifiers: {
      size: { contexts: { small: sources('small/ink.json'), large: sources('large/ink.json') }, default: 'small' },
    },
    resolutionOrder: sources('#/modifiers/size'),
  }
  const files = { 'a/small/ink.json': color('#14212b'), 'a/large/ink.json': color('#e8eef2') }
  const cwd = await folderWith({ ...files, 'a/brand.resolver.json': JSON.stringify(resolver) })
  const from = ['a/brand.resolver.json', ...Object.keys(files)].flatMap(path => ['--from', path])
  await housestyle(['init', 'acme', ...from], { cwd })
  const colors = parse(readFileSync(join(cwd, 'acme/guidelines/styles/colors.yaml'), 'utf8'))
  assert.deepEqual(colors, [{ name: 'ink', hex: '#14212b' }])
})

test('a file that is the only source has the code of its problem', async () => {
  const cwd = await folderWith({ 'words.txt': 'Words\n', 'bare.csv': 'name,hex\n', 'cut.json': '{ "a": ' })
  for (const [source, code] of [
    ['words.txt', 'source_unknown'],
    ['bare.csv', 'source_empty'],
    ['cut.json', 'source_unreadable'],
  ] as const) {
    const { stderr } = await housestyle(['init', 'new', '--from', source, '--json'], { cwd })
    assert.equal(JSON.parse(stderr).error, code, source)
  }
})

test('init --tokens takes only the colours in the groups that it names', async () => {
  const cwd = await temporaryFolder()
  writeFileSync(join(cwd, 'tokens.json'), TOKENS.replace('"ink":{', '"core":{"sea":{"$value":"#001122"}},"ink":{'))
  writeFileSync(join(cwd, 'brand.css'), ':root { --paper: #fff }')
  const sources = ['--from', 'tokens.json', '--from', 'brand.css']
  const { stdout } = await housestyle(['init', 'acme', ...sources, '--tokens', 'core', '--json'], { cwd })
  assert.equal(JSON.parse(stdout).projects[0].colors, 1)
})

test('init leaves nothing behind if it is interrupted', async () => {
  const parent = await temporaryFolder()
  writeFileSync(join(parent, 'tokens.json'), TOKENS)
  const signal = AbortSignal.abort(new DOMException('SIGINT', 'AbortError'))
  for (const from of [[], ['--from', 'tokens.json']])
    assert.equal((await housestyle(['init', 'new', ...from], { cwd: parent }, { signal })).status, 130)
  assert.deepEqual(readdirSync(parent), ['tokens.json'])
})

test('init --from prints the most frequent kinds of parts that it did not understand, and counts the others', async () => {
  const parent = await temporaryFolder()
  const tokens = Object.fromEntries(
    Array.from({ length: 250 }, (_, at) => [`t${at}`, { $type: `t${at}\u001b`, $value: 1 }]),
  )
  writeFileSync(join(parent, 'tokens.json'), JSON.stringify({ ink: { $type: 'color', $value: '#000' }, ...tokens }))
  const { status, stderr } = await housestyle(['init', 'acme', '--from', 'tokens.json'], { cwd: parent })
  assert.equal(status, 0)
  assert.match(stderr, /^250 lost\n(?: {2}1 .*\n){10} {2}and 240 more kinds$/m)
  assert.ok(!stderr.includes('\u001b'))
})
