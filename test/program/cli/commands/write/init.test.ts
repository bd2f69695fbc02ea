import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { golden } from '#test/support/golden.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { housestyle, MAIN } from '../../housestyle.ts'
import { session } from '../../session.ts'

golden('cli/init', session)

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

test('init --from reads stdin, and prints its report as JSON', async () => {
  const folder = join(await temporaryFolder(), 'acme')
  const child = spawn(process.execPath, [MAIN, 'init', folder, '--from', '-', '--json'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.end(TOKENS)
  const { projects, merged, lost } = JSON.parse(await text(child.stdout))
  assert.deepEqual(projects, [{ project: 'guidelines', pages: 1, colors: 2, types: 1, files: 0 }])
  assert.deepEqual(merged, [{ from: 'stdin.json', into: 'guidelines/styles/colors.yaml' }])
  const seen = lost.map(({ text }: { text: string }) => text)
  assert.deepEqual(seen, ['color.dim', 'shadow.card: {}'])
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
      /^housestyle: the source has nothing .*none\.json: a single token of this type is not a style \("a" \(shadow\)\)/,
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

test('init leaves nothing behind if it is interrupted', async () => {
  const parent = await temporaryFolder()
  writeFileSync(join(parent, 'tokens.json'), TOKENS)
  const signal = AbortSignal.abort(new DOMException('SIGINT', 'AbortError'))
  for (const from of [[], ['--from', 'tokens.json']])
    assert.equal((await housestyle(['init', 'new', ...from], { cwd: parent }, { signal })).status, 130)
  assert.deepEqual(readdirSync(parent), ['tokens.json'])
})
