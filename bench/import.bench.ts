import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './run.ts'
import { writeLargeBrand } from './support/large-brand.ts'
import { median } from './support/median.ts'
import { unpackPackage } from './support/package.ts'

const ROUNDS = 5
const SIZE = { pages: 10_000, pictures: 2_000 }

/** The time of an import of 10,000 pages and 2,000 pictures, next to `git init`, `git add` and `git commit`. */
export async function* measure(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    const bin = unpackPackage(folder)
    const brand = join(folder, 'acme')
    writeLargeBrand(brand, SIZE)
    const rounds: { git: Cost; import: Cost }[] = []
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({
        git: git(brand, join(folder, `git-${round}`)),
        import: cost(process.execPath, bin, 'import', brand, '--data', join(folder, `store-${round}`)),
      })
    const value = (unit: keyof Cost) => median(rounds.map(round => round.import[unit] / round.git[unit]))
    const seconds = median(rounds.map(round => round.import.elapsed))
    yield {
      name: 'elapsed time of an import ÷ git init, add and commit',
      value: value('elapsed'),
      unit: 'ratio',
      bound: { atMost: 1.7 },
      note: `${seconds.toFixed(1)} s; ratio of processor time ${value('processor').toFixed(2)}`,
    }
  } finally {
    // Nothing is removed earlier: ext4 creates files more slowly for minutes after files were removed.
    rmSync(folder, { recursive: true })
  }
}

/** In seconds. */
type Cost = { elapsed: number; processor: number }

const GIT = `git $0 init -q && git $0 add -A . && git $0 -c user.name=a -c user.email=a@example.com -c maintenance.auto=false commit -qm a`

/** Commits the folder to a repository next to it. */
function git(folder: string, repository: string): Cost {
  const places = `--git-dir=${repository} --work-tree=${folder}`
  return cost('sh', '-c', `cd ${folder} && ${GIT.replaceAll('$0', places)}`)
}

/** Runs a command to its end, after the disk has written everything from before. */
function cost(...command: readonly string[]): Cost {
  execFileSync('sync')
  const began = performance.now()
  // The second line of `times` is the processor time of all child processes.
  const output = execFileSync('sh', ['-c', '"$@" >/dev/null && times', 'sh', ...command], { encoding: 'utf8' })
  const elapsed = (performance.now() - began) / 1000
  const times = [...(output.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  const processor = times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
  return { elapsed, processor }
}
