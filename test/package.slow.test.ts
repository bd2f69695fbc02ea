import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { buildImage } from './deploy/image-build.ts'
import { command, serve } from './support/command.ts'
import { SWIFT, startS3 } from './support/s3.ts'

const run = promisify(execFile)
const root = dirname(import.meta.dirname)

let folder: string
let app: string
let shipped: string[]
let installed: string
let bin: string
const read = (path: string) => readFile(join(root, path), 'utf8')

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'housestyle-package-'))
  const built = await buildImage(folder)
  app = built.app
  const { stdout } = await run('tar', ['-tzf', built.archive], { maxBuffer: 1 << 24 })
  const paths = stdout
    .trim()
    .split('\n')
    .map(path => path.replace(/^package\//, ''))
  shipped = paths.filter(path => !path.startsWith('node_modules/'))
  const [, args = assert.fail()] = /^npm (install --global .*)$/m.exec(await read('docs/deploying.md')) ?? []
  const place = (text: string) =>
    text.replace('/usr/local', join(folder, 'usr/local')).replace(/^(?:\.\/)?housestyle-.*/, built.archive)
  const flags = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', [...args.split(' ').map(place), ...flags], { cwd: folder, timeout: 300_000 })
  installed = join(folder, 'usr/local/lib/node_modules/housestyle')
  bin = join(installed, 'bin/housestyle.js')
})

after(() => rm(folder, { recursive: true }))

test('the package contains its program and documentation, but no sources or tests', async () => {
  for (const path of `
    bin/housestyle.js dist/main.js dist/LICENSES.md dist/sbom.cdx.json dist/intake/reader-version.txt
    openapi.json schemas/colors.json server.json LICENSE README.md CHANGELOG.md
  `
    .trim()
    .split(/\s+/)) {
    assert.ok(shipped.includes(path), `${path} is not in the package`)
  }
  const unfit = shipped.filter(
    path => !/^(?:bin|dist|docs|examples|migrations|schemas)\/|^[^/]+$/.test(path) || path.endsWith('.ts'),
  )
  assert.deepEqual(unfit, [])
  assert.ok(!shipped.includes('.npmrc'))
  const { stdout } = await run('git', ['ls-files', 'migrations', 'src'], { cwd: root })
  for (const path of stdout
    .trim()
    .split('\n')
    .filter(path => !path.endsWith('.ts'))) {
    assert.ok(shipped.includes(path.replace(/^src\//, 'dist/')), `${path} is not in the package`)
  }
})

test('the bundled program has only Latin-1 characters, of which V8 keeps one byte each', async () => {
  const bundles = shipped.filter(path => /^dist\/[^/]+\.js$/.test(path))
  assert.ok(bundles.length > 10)
  for (const path of bundles) assert.doesNotMatch(await readFile(join(installed, path), 'utf8'), /[^\0-\xff]/, path)
})

test('the build steps of the Dockerfile make the package from the files that .dockerignore allows', () => {
  const made = 'CHANGELOG.md LICENSE bin dist examples migrations node_modules openapi.json schemas'.split(' ')
  const found = new Set(readdirSync(app))
  for (const name of made) assert.ok(found.has(name), name)
  for (const name of ['src', 'test', 'docs', 'deploy', 'package-lock.json']) assert.ok(!found.has(name), name)
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  const packages = new Set(readdirSync(join(app, 'node_modules')))
  for (const name of Object.keys(dependencies)) assert.ok(packages.has(name.split('/')[0] ?? ''), name)
  for (const name of Object.keys(devDependencies).filter(name => !name.startsWith('@')))
    assert.ok(!packages.has(name), name)
})

// decisions/0477
test('the package is installed with the versions of the lockfile', async () => {
  const lockfile = JSON.parse(await read('package-lock.json'))
  const locked = Object.entries<{ version: string; dev?: boolean }>(lockfile.packages)
  const wanted = locked.filter(([path, { dev }]) => path !== '' && !dev)
  const expected = wanted.map(([path, { version }]) => [path, version])
  assert.ok(expected.length > 20)
  const [found, others] = [new Map<string, string>(), /\/node_modules\/(?:@[^/]+\/)?[^/]+$/]
  for await (const path of glob('**/node_modules/{*,@*/*}/package.json', { cwd: installed })) {
    const { version } = JSON.parse(await readFile(join(installed, path), 'utf8'))
    if (others.test(`/${dirname(path)}`)) found.set(dirname(path), version)
  }
  assert.deepEqual([...found].toSorted(), expected.toSorted())
})

test('the bill of materials in the package lists what the package contains, and no development tool', async () => {
  const [bill, lock, about] = (
    await Promise.all([
      readFile(join(installed, 'dist/sbom.cdx.json'), 'utf8'),
      read('package-lock.json'),
      read('package.json'),
    ])
  ).map(text => JSON.parse(text))
  assert.deepEqual([bill.bomFormat, bill.serialNumber, bill.metadata.timestamp], ['CycloneDX', undefined, undefined])
  const { name, version, type } = bill.metadata.component
  assert.deepEqual([name, version, type], [about.name, about.version, 'application'])
  const refs: string[] = bill.components.map((each: { 'bom-ref': string }) => each['bom-ref'])
  assert.equal(new Set(refs).size, refs.length)
  const locked = Object.entries<{ version: string; dev?: boolean }>(lock.packages).filter(([path]) => path !== '')
  for (const [path, each] of locked)
    if (!each.dev) assert.ok(refs.includes(`${path.replace(/^.*node_modules\//, '')}@${each.version}`), path)
  const names = new Set(refs.map(ref => ref.replace(/@[^@]+$/, '')))
  for (const each of ['koa', 'oidc-provider']) assert.ok(names.has(each), each)
  for (const each of ['typescript', 'knip', '@biomejs/biome']) assert.ok(!names.has(each), each)
  const known = new Set([`${name}@${version}`, ...refs])
  for (const { ref, dependsOn } of bill.dependencies) {
    const unexpected = [ref, ...dependsOn].filter((each: string) => !known.has(each))
    assert.deepEqual(unexpected, [])
  }
})

test('the installed command prints its version and its commands from the path in the systemd units', async () => {
  const { version } = JSON.parse(await read('package.json'))
  const units = await Array.fromAsync(glob('deploy/systemd/*.service', { cwd: root }))
  const lines = (await Promise.all(units.map(read))).flatMap(unit => unit.match(/^ExecStart=.*$/gm) ?? [])
  for (const line of lines) {
    const [program = assert.fail(line)] = /\/\S*\/housestyle(?= )/.exec(line) ?? []
    assert.equal((await run(join(folder, program), ['--version'])).stdout, `${version}\n`)
  }
  assert.equal(lines.length, 3)
  assert.match(await command(bin, '--help'), /^Usage: housestyle .*\bcheck\b.*\bserve\b/su)
})

test('the installed command copies a guide to a folder with a script that searches it', async () => {
  const [brand, site] = [join(folder, 'copied'), join(folder, 'site')]
  await mkdir(join(brand, 'guide/pages'), { recursive: true })
  await writeFile(join(brand, 'guide/pages/index.md'), '# Acme\n')
  await command(bin, 'export', '--folder', brand, '--to', 'site', '--private', '--out', site)
  const [script = assert.fail()] = await Array.fromAsync(glob('-/assets/**/copied.js', { cwd: site }))
  assert.match(await readFile(join(site, script), 'utf8'), /^const searchEngine = .*globalThis\.searchCopy = /s)
})

test('the installed command finds no problem in a brand folder, and serves it with its font metadata', async t => {
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
    signal: AbortSignal.timeout(300_000),
  })
  assert.equal(reply.status, 200)
  const { files } = JSON.parse(await reply.text())
  const seen = files.map((file: { filename: string; metadata: unknown }) => [file.filename, file.metadata])
  assert.deepEqual(seen, [
    ['plex.woff2', { family: 'IBM Plex Sans', subFamily: 'SemiBold', weight: 600, style: 'normal' }],
  ])
  // The first request of a program loads the authorization server. Its library names versions of Node without long-term support.
  assert.equal((await fetch(`${service.url}/oauth/consent/none`)).status, 400)
  assert.equal(await service.stop(), 0)
  assert.doesNotMatch((await service.log).replace(/^oidc-provider WARNING: Unsupported runtime\..*$/m, ''), /warning/i)
})

test('the installed command keeps files in a bucket', SWIFT, async t => {
  const server = await startS3()
  t.after(server.stop)
  const brand = join(folder, 'bucket-brand')
  await mkdir(join(brand, 'guide/files'), { recursive: true })
  await writeFile(join(brand, 'guide/files/notes.txt'), 'Notes.\n')
  const place = ['--data', join(folder, 'bucket-data'), '--files', await server.newPlace()]
  await command(bin, 'import', brand, ...place)
  await command(bin, 'publish', '--all', ...place)
  assert.equal(await command(bin, 'doctor', ...place), 'no problems\n')
  assert.ok(server.seen.some(request => /^PUT .*\/[0-9a-f]{64}/.test(request)))
})
