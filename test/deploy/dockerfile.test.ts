import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { validate } from 'dockerfile-utils'
import { command } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
const [, build = '', image = ''] = dockerfile.split(/^FROM .*$/m)

test('the Dockerfile has no errors and no deprecated instructions', () => {
  assert.deepEqual(validate(dockerfile), [])
  assert.notDeepEqual(validate(dockerfile.replace('WORKDIR /build', 'WORKDER /build')), [])
})

test('the image does not run as root, and has a readiness check', () => {
  assert.match(image, /^USER 1000:1000$/m)
  assert.doesNotMatch(image.slice(image.indexOf('USER')), /^(?:RUN|COPY|ADD)/m)
  assert.match(image, /^HEALTHCHECK .*\n +CMD \["node", "--eval", .*\/readyz/m)
})

test('the build steps make the package in a clean folder from the files that .dockerignore allows', async () => {
  const folder = await temporaryFolder()
  const place = (text: string) => text.replaceAll(/\/(?=(?:build|app|tmp)\b)/g, `${folder}/`)
  await mkdir(join(folder, 'tmp'))
  await copyContext(join(folder, 'build'))
  await placePackages(join(folder, 'build'))
  let where = folder
  for (const [, name, text = ''] of build.matchAll(/^(RUN|WORKDIR) ((?:.*\\\n)*.*)$/gm)) {
    if (name === 'WORKDIR') where = place(text)
    else if (!text.startsWith('npm ci ')) await run('sh', ['-ec', place(text)], { cwd: where, timeout: 300_000 })
  }
  const app = join(folder, 'app')
  const made = [
    'CHANGELOG.md',
    'LICENSE',
    'bin',
    'dist',
    'examples',
    'migrations',
    'node_modules',
    'openapi.json',
    'schemas',
  ]
  const found = new Set(readdirSync(app))
  for (const name of made) assert.ok(found.has(name), name)
  for (const name of ['src', 'test', 'docs', 'deploy', 'package-lock.json']) assert.ok(!found.has(name), name)
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  const packages = new Set(readdirSync(join(app, 'node_modules')))
  for (const name of Object.keys(dependencies)) assert.ok(packages.has(name.split('/')[0] ?? ''), name)
  for (const name of Object.keys(devDependencies).filter(name => !name.startsWith('@')))
    assert.ok(!packages.has(name), name)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.equal(await command(join(app, 'bin/housestyle.js'), '--version'), `${version}\n`)
})

/** Installs the packages of the lockfile: copies of shipped packages, and links to development packages. */
async function placePackages(build: string): Promise<void> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(packages)) {
    const isTop = path.lastIndexOf('node_modules/') === 0
    if (!isTop || !existsSync(join(root, path))) continue
    await mkdir(dirname(join(build, path)), { recursive: true })
    if (dev) await symlink(join(root, path), join(build, path))
    else await cp(join(root, path), join(build, path), { recursive: true })
  }
}

/** Copies the files of the project that .dockerignore allows; it excludes everything else. */
async function copyContext(to: string): Promise<void> {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  const [all, ...kept] = lines.filter(line => line !== '' && !line.startsWith('#'))
  assert.equal(all, '*')
  for (const line of kept) {
    assert.match(line, /^!/)
    const pattern = new RegExp(`^${line.slice(1).replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
    const names = readdirSync(root).filter(name => pattern.test(name))
    assert.ok(names.length > 0, `${line} lets nothing in`)
    for (const name of names) await cp(join(root, name), join(to, name), { recursive: true })
  }
}
