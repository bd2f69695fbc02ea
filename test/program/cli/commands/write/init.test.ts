import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { temporaryFolder } from '#test/support/temporary.ts'
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

test('init --from writes a folder with the styles of other tools, and names the parts that it did not understand', async () => {
  const parent = await temporaryFolder()
  writeFileSync(join(parent, 'tokens.json'), TOKENS)
  writeFileSync(join(parent, 'palette.gpl'), 'GIMP Palette\n29 112 184\tBlue\n')
  const made = await housestyle(['init', 'our-brand', '--from', 'tokens.json', '--from', 'palette.gpl'], {
    cwd: parent,
  })
  assert.deepEqual(made, {
    status: 0,
    signal: null,
    stdout: `our-brand/workspace.yaml
our-brand/project.yaml
our-brand/pages/index.md
our-brand/styles/colors.yaml
our-brand/styles/types.yaml
our-brand/_schemas/workspace.json
our-brand/_schemas/project.json
our-brand/_schemas/colors.json
our-brand/_schemas/types.json
our-brand/_schemas/files.json

3 colours and 1 type style from tokens.json, palette.gpl
Add the fonts: put the files of Inter into our-brand/files/fonts
`,
    stderr: `tokens.json: "color.dim": refers to "color.none", which is not a token of the file; left out
tokens.json: "shadow.card": a single token of the type "shadow" is not a style; left out
to see it:
next: housestyle dev our-brand
`,
  })
  const { status, stdout } = await housestyle(['check', 'our-brand', '--json'], { cwd: parent })
  assert.deepEqual([status, JSON.parse(stdout).map(({ rule }: { rule: string }) => rule)], [0, ['font-family-missing']])
  const shown = readFileSync(join(parent, 'our-brand/styles/colors.yaml'), 'utf8')
  assert.match(shown, /^- name: Blue\n {2}hex: "#1d70b8"$/m)
})

test('init --from reads stdin, and prints its result as JSON', async () => {
  const folder = join(await temporaryFolder(), 'acme')
  const child = spawn(process.execPath, [MAIN, 'init', folder, '--from', '-', '--json'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.end(TOKENS)
  const { files: _, ...said } = JSON.parse(await text(child.stdout))
  assert.deepEqual(said, {
    folder,
    colors: 2,
    types: 1,
    notes: [
      { source: 'stdin', message: '"color.dim": refers to "color.none", which is not a token of the file; left out' },
      { source: 'stdin', message: '"shadow.card": a single token of the type "shadow" is not a style; left out' },
    ],
  })
})

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
      /^housestyle: found no colour and no type style in none\.json; none\.json: "a": a single token of the type "shadow" .*; none\.json: "b": is "\?"/,
    ],
    ['new', 'bare.csv', 1, /^housestyle: bare\.csv has no colour and no type style/],
    ['new', 'cut.ase', 1, /^housestyle: cut\.ase is cut short: block 1 of 1 is incomplete/],
    ['new', 'large.gpl', 1, /^housestyle: large\.gpl has more than 16\.0 MiB; name a smaller file/],
    ['new', 'many.gpl', 1, /^housestyle: there are 10001 colours, but a guide may have at most 10000; split the file/],
    ['new', 'missing.json', 1, /^housestyle: cannot read missing\.json: there is no such file/],
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

test('init --tokens takes only the colours in the groups that it names', async () => {
  const cwd = await temporaryFolder()
  writeFileSync(join(cwd, 'tokens.json'), TOKENS.replace('"ink":{', '"core":{"sea":{"$value":"#001122"}},"ink":{'))
  writeFileSync(join(cwd, 'brand.css'), ':root { --paper: #fff }')
  const sources = ['--from', 'tokens.json', '--from', 'brand.css']
  const { stdout } = await housestyle(['init', 'acme', ...sources, '--tokens', 'core', '--json'], { cwd })
  assert.equal(JSON.parse(stdout).colors, 1)
})

test('init leaves nothing behind if it is interrupted', async () => {
  const parent = await temporaryFolder()
  writeFileSync(join(parent, 'tokens.json'), TOKENS)
  const signal = AbortSignal.abort(new DOMException('SIGINT', 'AbortError'))
  for (const from of [[], ['--from', 'tokens.json']])
    assert.equal((await housestyle(['init', 'new', ...from], { cwd: parent }, { signal })).status, 130)
  assert.deepEqual(readdirSync(parent), ['tokens.json'])
})

test('init --from prints the first 200 parts that it did not understand, and counts the rest', async () => {
  const parent = await temporaryFolder()
  const tokens = Object.fromEntries(
    Array.from({ length: 250 }, (_, at) => [`t${at}`, { $type: `t${at}\u001b`, $value: 1 }]),
  )
  writeFileSync(join(parent, 'tokens.json'), JSON.stringify({ ink: { $type: 'color', $value: '#000' }, ...tokens }))
  const { status, stderr } = await housestyle(['init', 'acme', '--from', 'tokens.json'], { cwd: parent })
  const lines = stderr.split('\n')
  assert.deepEqual([status, lines.slice(200)], [0, ['and 50 more', 'to see it:', 'next: housestyle dev acme', '']])
  assert.ok(!stderr.includes('\u001b'))
})
