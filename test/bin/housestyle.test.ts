import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { needs } from '../support/programs.ts'

const bin = fileURLToPath(new URL('../../bin/housestyle.js', import.meta.url))

// The tests run on one Node version, so they make it report other versions.
function startedWith(versions: Readonly<Record<string, string>>) {
  const lie = `for (const [name, value] of Object.entries(${JSON.stringify(versions)})) Object.defineProperty(process.versions, name, { value })`
  const { status, stdout, stderr } = spawnSync(process.execPath, [
    `--import=data:text/javascript,${encodeURIComponent(lie)}`,
    bin,
    'serve',
  ])
  return { status, stdout: stdout.toString(), stderr: stderr.toString() }
}

for (const version of ['12.22.12', '20.20.2', '23.11.1']) {
  test(`on Node ${version} the command prints the required Node version and a fix in one line, and exits with 1`, () => {
    assert.deepEqual(startedWith({ node: version }), {
      status: 1,
      stdout: '',
      stderr:
        `housestyle needs Node 24 or newer and this is Node ${version}: install a newer Node, or in a checkout run ` +
        '`npx housestyle …` or `npm start`, which bring their own.\n',
    })
  })
}

test('on Bun, which reports a recent Node version, the command prints in one line why it needs Node, and exits with 1', () => {
  assert.deepEqual(startedWith({ node: '26.3.0', bun: '1.4.5' }), {
    status: 1,
    stdout: '',
    stderr:
      'housestyle needs Node 24 or newer and this is Bun 1.4.5, which does not confine the processes that read pages, ' +
      'fonts and pictures: run it with Node, or in a checkout run `npx housestyle …` or `npm start`, which bring their own.\n',
  })
})

const SRC = "process.stdout.write('src ' + process.argv[2])"
const DIST = "process.stdout.write('dist ' + process.argv[2])"

for (const [holds, files, ran] of [
  ['the package, which has no src/, runs dist/', { 'dist/main.js': DIST }, 'dist status'],
  ['a checkout runs src/', { 'src/main.ts': SRC }, 'src status'],
  ['a checkout with an outdated dist/ runs src/', { 'src/main.ts': SRC, 'dist/main.js': DIST }, 'src status'],
] as const) {
  test(`${holds}, and passes the arguments on without a warning`, async t => {
    const folder = await mkdtemp(join(tmpdir(), 'housestyle-bin-'))
    t.after(() => rm(folder, { recursive: true }))
    const copy = join(folder, 'bin/housestyle.js')
    await mkdir(dirname(copy))
    await copyFile(bin, copy)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)))
      await writeFile(join(folder, path), text)
    }
    const { stdout, stderr } = spawnSync(process.execPath, [copy, 'status'])
    assert.deepEqual({ stdout: stdout.toString(), stderr: stderr.toString() }, { stdout: ran, stderr: '' })
  })
}

for (const [what, prepare, isKept] of [
  ['does not exist yet', () => undefined, true],
  ['is its own', (folder: string) => mkdirSync(folder, { mode: 0o700 }), true],
  [
    'others may write to',
    (folder: string) => chmodSync(mkdirSync(folder, { recursive: true }) ?? folder, 0o777),
    false,
  ],
  ['others may read', (folder: string) => chmodSync(mkdirSync(folder, { recursive: true }) ?? folder, 0o755), false],
  ['is a symbolic link', (folder: string) => symlinkSync(mkdtempSync(`${folder}-elsewhere-`), folder), false],
  ['is a file', (folder: string) => writeFileSync(folder, ''), false],
] as const) {
  test(`compiled code is ${isKept ? '' : 'not '}kept in a cache folder that ${what}`, async t => {
    const { dir, bin } = await copyThatPrintsCache()
    t.after(() => rm(dir, { recursive: true }))
    prepare(join(dir, 'housestyle'))
    const { PATH } = process.env
    const { stdout } = spawnSync(process.execPath, [bin], { env: { PATH, XDG_CACHE_HOME: dir, TMPDIR: dir } })
    const used = stdout.toString()
    assert.equal(used.startsWith(join(dir, 'housestyle/')), isKept)
    assert.equal(used !== '', isKept)
    if (isKept) assert.equal(statSync(join(dir, 'housestyle')).mode & 0o777, 0o700)
  })
}

test('compiled code of another user is not run: a cache folder of another user is not used', needs('root'), async t => {
  const { dir, bin } = await copyThatPrintsCache()
  t.after(() => rm(dir, { recursive: true }))
  mkdirSync(join(dir, 'housestyle'), { mode: 0o700 })
  chownSync(join(dir, 'housestyle'), 65534, 65534)
  const { stdout } = spawnSync(process.execPath, [bin], { env: { XDG_CACHE_HOME: dir, TMPDIR: dir } })
  assert.equal(stdout.toString(), '')
})

test('a folder in NODE_COMPILE_CACHE is used unchecked', async t => {
  const { dir, bin } = await copyThatPrintsCache()
  t.after(() => rm(dir, { recursive: true }))
  const { stdout } = spawnSync(process.execPath, [bin], { env: { NODE_COMPILE_CACHE: join(dir, 'named') } })
  assert.match(stdout.toString(), /^.*\/named\/./)
})

/** A copy of the command whose program prints the folder of Node's compile cache, if there is one. */
async function copyThatPrintsCache() {
  const dir = await mkdtemp(join(tmpdir(), 'housestyle-bin-'))
  for (const name of ['bin', 'src']) await mkdir(join(dir, name))
  await copyFile(bin, join(dir, 'bin/housestyle.js'))
  await writeFile(join(dir, 'package.json'), '{ "type": "module" }')
  const program = "import { getCompileCacheDir } from 'node:module'\nprocess.stdout.write(getCompileCacheDir() ?? '')"
  await writeFile(join(dir, 'src/main.ts'), program)
  return { dir, bin: join(dir, 'bin/housestyle.js') }
}

test('serve runs as the same process, with the options that Node was given and no others', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-bin-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const name of ['bin', 'src']) await mkdir(join(folder, name))
  await copyFile(bin, join(folder, 'bin/housestyle.js'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'src/main.ts'), 'console.log(JSON.stringify([process.pid, process.execArgv]))')
  const { pid, stdout } = spawnSync(process.execPath, ['--no-deprecation', join(folder, 'bin/housestyle.js'), 'serve'])
  assert.deepEqual(JSON.parse(stdout.toString()), [pid, ['--no-deprecation']])
})
