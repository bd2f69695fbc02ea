import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { oidOf, pointerOf, startLfsServer } from '../../../../support/lfs-server.ts'
import { needs } from '../../../../support/programs.ts'
import { temporaryFolder } from '../../../../support/temporary.ts'
import { housestyle } from '../../housestyle.ts'

const GIT = needs('git')
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>\n'
const FILES = {
  'docs/index.md': '# Welcome\n\n![Logo](logo.svg)\n\n[Old](old.pdf)\n',
  'docs/logo.svg': pointerOf(LOGO),
  'docs/old.pdf': pointerOf('lost'),
}

/** A checkout without git-lfs, of a host that has only the logo. */
async function checkout() {
  const server = await startLfsServer()
  server.objects.set(oidOf(LOGO), Buffer.from(LOGO))
  const { url, commit } = await server.make('site.git')
  await commit(FILES)
  const cwd = await temporaryFolder()
  await promisify(execFile)('git', ['-c', 'filter.lfs.smudge=', 'clone', '--quiet', url, join(cwd, 'site')])
  return { server, url, cwd }
}

async function adopted(cwd: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const environment = { PATH: process.env.PATH ?? '', ...env }
  const run = await housestyle(['init', 'brand', '--from', 'site', '--json', ...args], { cwd, env: environment })
  assert.equal(run.status, 0, run.stderr)
  const { leftOut } = JSON.parse(run.stdout)
  return leftOut.filter(({ path }: { path: string }) => path.startsWith('docs/'))
}

const WHY = 'is in Git LFS but missing: '

test('init --from downloads the files of a checkout that are in Git LFS, and reports the others', GIT, async () => {
  const { cwd, server } = await checkout()
  const leftOut = await adopted(cwd, [], { HOUSESTYLE_GIT_TOKEN: 'secret' })
  assert.deepEqual(leftOut, [{ path: 'docs/old.pdf', reason: `${WHY}its host answers 404: Object does not exist` }])
  assert.equal(readFileSync(join(cwd, 'brand/guidelines/files/docs/logo.svg'), 'utf8'), LOGO)
  assert.ok(!existsSync(join(cwd, 'brand/guidelines/files/docs/old.pdf')))
  const seen = server.batches.map(({ headers }) => headers.authorization)
  assert.deepEqual(seen, [undefined])
})

test('--git names the repository of a folder without one, whose host gets the token', GIT, async () => {
  const { cwd, server, url } = await checkout()
  await rm(join(cwd, 'site/.git'), { recursive: true })
  const unknown = await adopted(cwd)
  const reason = `${WHY}its repository is unknown; name it with --git`
  assert.deepEqual(unknown, [
    { path: 'docs/logo.svg', reason },
    { path: 'docs/old.pdf', reason },
  ])
  await rm(join(cwd, 'brand'), { recursive: true })
  const leftOut = await adopted(cwd, ['--git', url], { HOUSESTYLE_GIT_TOKEN: 'user:secret' })
  assert.equal(leftOut.length, 1)
  assert.equal(readFileSync(join(cwd, 'brand/guidelines/files/docs/logo.svg'), 'utf8'), LOGO)
  assert.equal(server.batches[0]?.headers.authorization, `Basic ${Buffer.from('user:secret').toString('base64')}`)
})
