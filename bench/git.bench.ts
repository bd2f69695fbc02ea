import { execFile, execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { answerFromGit } from '../test/support/git-backend.ts'
import type { Figure } from './run.ts'
import { median } from './support/median.ts'
import { unpackPackage } from './support/package.ts'

const ROUNDS = 2
const [FILES, FILE_BYTES] = [64, 16 << 20]

/** The time of pulls of a repository of 1 GiB, next to `git clone --depth 1`. */
export async function* measure(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  const server = createServer((request, response) => answerFromGit(folder, request, response))
  try {
    const bin = unpackPackage(folder)
    const source = makeRepository(folder)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/brand.git`
    const rounds: { clone: number; first: number; next: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const pull = () =>
        seconds(process.execPath, [bin, 'pull', '--git', url, '--data', join(folder, `store-${round}`)])
      const clone = await seconds('git', ['clone', '--quiet', '--depth', '1', url, join(folder, `clone-${round}`)])
      const first = await pull()
      change(source, round)
      rounds.push({ clone, first, next: await pull() })
    }
    const ratio = (name: 'first' | 'next') => median(rounds.map(each => each[name] / each.clone))
    const note = (name: 'first' | 'next') => `${median(rounds.map(each => each[name])).toFixed(1)} s`
    yield {
      name: 'first pull of 1 GiB ÷ git clone',
      value: ratio('first'),
      unit: 'ratio',
      bound: { atMost: 3 },
      note: note('first'),
    }
    yield {
      name: 'pull of one changed page ÷ git clone',
      value: ratio('next'),
      unit: 'ratio',
      bound: { atMost: 1 },
      note: note('next'),
    }
  } finally {
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true })
  }
}

/** Makes a bare repository with one guide of large files. Returns its work tree. */
function makeRepository(folder: string): string {
  const work = join(folder, 'work')
  const guide = join(work, 'guide')
  for (const path of ['files', 'pages']) mkdirSync(join(guide, path), { recursive: true })
  writeFileSync(join(work, 'workspace.yaml'), 'id: acme\n')
  const bytes = Buffer.alloc(FILE_BYTES)
  for (let at = 0; at < FILES; at++) writeFileSync(join(guide, `files/film-${at}.bin`), randomFillSync(bytes))
  git(work, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', 'brand.git')
  for (const each of [work, join(folder, 'brand.git')]) {
    git(each, 'config', 'core.compression', '0')
    git(each, 'config', 'core.bigFileThreshold', '1m') // Otherwise git spends an hour on deltas of noise.
  }
  git(work, 'remote', 'add', 'origin', join(folder, 'brand.git'))
  change(work, -1)
  return work
}

function change(work: string, round: number): void {
  writeFileSync(join(work, 'guide/pages/index.md'), `# Round ${round}\n`)
  git(work, 'add', '--all')
  git(work, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'A change')
  git(work, 'push', '--quiet', 'origin', 'main')
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync('git', args, { cwd })
}

/** Runs a command to its end, after the disk has written everything from before. */
async function seconds(program: string, args: readonly string[]): Promise<number> {
  execFileSync('sync')
  const began = performance.now()
  await promisify(execFile)(program, args)
  return (performance.now() - began) / 1000
}
