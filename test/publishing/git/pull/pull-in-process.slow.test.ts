import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MAIN } from '../../../program/cli/housestyle.ts'
import { startGitServer } from '../../../support/git-server.ts'
import { needs } from '../../../support/programs.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const path = (name: string) => fileURLToPath(new URL(`../../../../${name}`, import.meta.url))
const FONT = 'examples/acme/guidelines/files/fonts/IBMPlexSans-Regular-Latin1.woff2'

/** Runs a program of Node. Returns how many of its processes became orphans. */
async function orphansOf(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('python3', [path('test/support/orphans.py'), process.execPath, ...args])
  return stdout.trim()
}

test('a process that pulls a commit waits for the processes that it has started', needs('git', 'python3'), async () => {
  const { url, git, commitTree } = await (await startGitServer()).make('fonts.git')
  const blob = await git(['hash-object', '-w', path(FONT)])
  const page = await git(['hash-object', '-w', '--stdin'], '# Page\n')
  const folder = (mode: string, hash: string, name: string) => git(['mktree'], `${mode} ${hash}\t${name}\n`)
  const files = await folder('100644 blob', blob, 'font.woff2')
  const pages = await folder('100644 blob', page, 'index.md')
  await commitTree(await git(['mktree'], `040000 tree ${files}\tfiles\n040000 tree ${pages}\tpages\n`))
  const data = await temporaryFolder()
  const task = {
    place: { data },
    source: { url, workspace: 'acme', publish: 'auto' },
    host: {},
    mirrors: join(data, 'git'),
    maxGit: 1 << 30,
    caps: { maxFile: 1 << 30, maxItems: 100 },
  }
  const program = `import { pullInProcess } from ${JSON.stringify(path('src/publishing/git/pull/pull-in-process.ts'))}
    await pullInProcess(${JSON.stringify(task)}, new AbortController().signal)`
  assert.equal(await orphansOf('--input-type=module', '--eval', program), '0')
})

test('a command waits for the processes that it has started', needs('python3'), async () => {
  const data = await temporaryFolder()
  const brand = join(data, 'acme')
  cpSync(path('examples/acme'), brand, { recursive: true })
  assert.equal(await orphansOf(MAIN, 'import', brand, '--data', join(data, 'store')), '0')
})
