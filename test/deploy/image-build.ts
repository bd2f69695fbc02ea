import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** The text of deploy/Dockerfile. */
export const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
const [, build = '', last = ''] = dockerfile.split(/^FROM .*$/m)

/** The instructions of its last stage. */
export const image = last

/**
 * Runs the build steps of the Dockerfile in a folder, except the installation of packages, with the files that
 * .dockerignore allows. Afterwards, `app` is the package's folder and `tmp` contains its archive.
 */
export async function buildImage(folder: string): Promise<{ app: string; archive: string }> {
  const place = (text: string) => text.replaceAll(/(?<!\w)\/(?=(?:build|app|tmp)\b)/g, `${folder}/`)
  await mkdir(join(folder, 'tmp'))
  await copyContext(join(folder, 'build'))
  await placePackages(join(folder, 'build'))
  let where = folder
  for (const [, name, text = ''] of build.matchAll(/^(RUN|WORKDIR) ((?:.*\\\n)*.*)$/gm)) {
    if (name === 'WORKDIR') where = place(text)
    else if (!text.startsWith('npm ci ')) await run('sh', ['-ec', place(text)], { cwd: where, timeout: 300_000 })
  }
  const [archive = assert.fail()] = readdirSync(join(folder, 'tmp'))
  return { app: join(folder, 'app'), archive: join(folder, 'tmp', archive) }
}

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
