import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { command, serve, serveIn } from './support/command.ts'

const run = promisify(execFile)
const root = dirname(import.meta.dirname)

let folder: string
let shipped: string[]
let bin: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'housestyle-package-'))
  const pack = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root, timeout: 120_000 })
  // The build that packing runs may speak before npm does.
  const [{ filename, files }] = JSON.parse(pack.stdout.slice(pack.stdout.search(/^\[/m)))
  shipped = files.map(({ path }: { path: string }) => path)
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  const flags = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['install', ...flags, join(folder, filename)], { cwd: folder, timeout: 300_000 })
  bin = join(folder, 'node_modules/housestyle/bin/housestyle.js')
})

after(() => rm(folder, { recursive: true }))

test('the package ships what it runs and says, and neither sources nor tests', async () => {
  for (const path of [
    'bin/housestyle.js',
    'dist/main.js',
    'dist/LICENSES.md',
    'dist/intake/reader-version.txt',
    'openapi.json',
    'schemas/colors.json',
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
  ]) {
    assert.ok(shipped.includes(path), `${path} is not in the package`)
  }
  const unfit = shipped.filter(
    path => !/^(?:bin|dist|docs|examples|migrations|schemas)\/|^[^/]+$/.test(path) || path.endsWith('.ts'),
  )
  assert.deepEqual(unfit, [])
  const { stdout } = await run('git', ['ls-files', 'migrations', 'src'], { cwd: root })
  for (const path of stdout
    .trim()
    .split('\n')
    .filter(path => !path.endsWith('.ts'))) {
    assert.ok(shipped.includes(path.replace(/^src\//, 'dist/')), `${path} is not in the package`)
  }
})

test('the installed command tells its version and its commands', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const { stdout } = await run(join(folder, 'node_modules/.bin/housestyle'), ['--version'])
  assert.equal(stdout, `${version}\n`)
  assert.match(await command(bin, '--help'), /^Usage: housestyle .*\bcheck\b.*\bserve\b/su)
})

test('the installed command finds nothing wrong with a brand folder, and serves it with what its font says', async t => {
  const brand = join(folder, 'acme')
  const font = join(brand, 'files/fonts/plex.woff2')
  await mkdir(join(brand, 'pages'), { recursive: true })
  await mkdir(dirname(font), { recursive: true })
  await writeFile(join(brand, 'pages/index.md'), '# Acme\n')
  await copyFile(join(root, 'node_modules/@ibm/plex-sans/fonts/complete/woff2/IBMPlexSans-SemiBold.woff2'), font)
  assert.deepEqual(JSON.parse(await command(bin, 'check', brand, '--json')), [])

  const data = join(folder, 'data')
  const service = await serve(bin, brand, '--data', data)
  t.after(service.stop)
  const token = (await command(bin, 'token', 'issue', 'acme', '--data', data)).trim()
  const reply = await fetch(`${service.baseUrl}/workspace/acme/project/acme/files`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(10_000),
  })
  assert.equal(reply.status, 200)
  const { files } = JSON.parse(await reply.text())
  assert.deepEqual(
    files.map((file: { filename: string; metadata: unknown }) => [file.filename, file.metadata]),
    [['plex.woff2', { family: 'IBM Plex Sans', subFamily: 'SemiBold', weight: 600, style: 'normal' }]],
  )
  assert.equal(await service.stop(), 0)
})

test('a service of the installed command keeps what V8 has compiled of it for the next start', async t => {
  const cache = join(folder, 'compile-cache')
  const service = await serveIn({ NODE_COMPILE_CACHE: cache }, bin, '--data', join(folder, 'kept'))
  t.after(service.stop)
  const names = async () => (await Array.fromAsync(glob('**/housestyle-*.code', { cwd: cache }))).sort().join(' ')
  for (let tries = 0; tries < 300 && !/common.*service/.test(await names()); tries++) await sleep(100)
  assert.match(await names(), /housestyle-common-.*housestyle-service-/)
})
