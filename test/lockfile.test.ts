import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from './support/temporary.ts'

const root = join(import.meta.dirname, '..')

type Locked = { integrity?: string; resolved?: string }

test('every package of both lockfiles has an integrity, and none has the address of a registry', () => {
  const lockfiles = ['package-lock.json', 'client/package-lock.json'].map(path =>
    readFileSync(join(root, path), 'utf8'),
  )
  const locked = lockfiles.flatMap(text => Object.entries<Locked>(JSON.parse(text).packages))
  const isSafe = ({ integrity = '', resolved }: Locked) =>
    /^sha512-[\w+/]{86}==$/.test(integrity) && resolved === undefined
  const unsafe = locked.filter(([path, entry]) => path !== '' && !isSafe(entry))
  assert.deepEqual(unsafe, [])
})

test('npm ci prints no warning, regardless of its Node version', async () => {
  const folder = await temporaryFolder()
  for (const name of ['.npmrc', 'package.json', 'package-lock.json'])
    await copyFile(join(root, name), join(folder, name))
  // Without this project's Node, npm runs on the machine's Node.
  const path = process.env.PATH?.split(delimiter)
    .filter(each => !each.includes('node_modules'))
    .join(delimiter)
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
  const args = ['ci', '--dry-run', '--offline', '--ignore-scripts']
  const { stdout, stderr } = await promisify(execFile)('npm', args, { cwd: folder, env: { ...env, PATH: path } })
  assert.match(stdout, /^added \d{3} packages/m)
  assert.equal(stderr, '')
})
