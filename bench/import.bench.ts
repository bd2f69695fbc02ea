import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pagePath, writeLargeBrand } from './large-brand.ts'
import { unpackPackage } from './package.ts'
import { median } from './quantile.ts'
import type { Figure } from './run.ts'

const ROUNDS = 7
const run = promisify(execFile)

/** What importing 10,000 pages and 2,000 pictures costs: beside git, again, and after a change of one page. */
export async function measure(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    const bin = unpackPackage(folder)
    const brand = join(folder, 'acme')
    const rounds = join(folder, 'rounds')
    const data = join(rounds, `store-${ROUNDS - 1}`)
    writeLargeBrand(brand, { pages: 10_000, pictures: 2_000 })
    const { ratio, megabytes, sumMegabytes } = await besideGit(bin, brand, rounds)
    const again = await housestyle(bin, 'import', brand, '--data', data)
    await housestyle(bin, 'publish', '--all', '--data', data)
    appendFileSync(join(brand, 'guide', pagePath(77)), '\nOne more line.\n')
    const changed = await housestyle(bin, 'import', brand, '--data', data)
    const published = await housestyle(bin, 'publish', '--all', '--data', data)
    return [
      figure('import of 10,000 pages and 2,000 pictures ÷ git init, add and commit', ratio, 'ratio', 0.85),
      figure('highest memory of that import', megabytes, 'MB', 300),
      figure('the same with the processes that read pictures', sumMegabytes, 'MB', 300),
      ...(await long(folder, bin)),
      ...(await many(folder, bin)),
      figure('processor time of an import with nothing changed', again.cpuMs, 'ms', 500),
      figure('processor time of import and publish, one page changed', changed.cpuMs + published.cpuMs, 'ms', 1000),
      figure('what those two write', changed.writtenMegabytes + published.writtenMegabytes, 'MB', 3),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * An import of a folder and git's keeping of it, in turn: their ratio, and the memory of the import, as medians. Nothing is
 * removed before the end: ext4 looks at each inode that was removed in the last minutes whenever it makes a file. What one
 * has left to write is written before the next begins, or whoever flushes first would pay for both.
 */
async function besideGit(
  bin: string,
  brand: string,
  folder: string,
): Promise<{ ratio: number; megabytes: number; sumMegabytes: number }> {
  mkdirSync(folder)
  const rounds: { ratio: number; cost: Cost }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    execFileSync('sync')
    const gitMs = git(brand, join(folder, `git-${round}`))
    execFileSync('sync')
    const cost = await housestyle(bin, 'import', brand, '--data', join(folder, `store-${round}`))
    rounds.push({ ratio: cost.ms / gitMs, cost })
  }
  return {
    ratio: median(rounds.map(({ ratio }) => ratio)),
    megabytes: median(rounds.map(({ cost }) => cost.megabytes)),
    sumMegabytes: median(rounds.map(({ cost }) => cost.megabytes + cost.helpersMegabytes)),
  }
}

/** The same import with longer pages. */
async function long(folder: string, bin: string): Promise<Figure[]> {
  const brand = join(folder, 'long')
  writeLargeBrand(brand, { pages: 10_000, pictures: 2_000, paragraphs: 20 })
  const { ratio, sumMegabytes } = await besideGit(bin, brand, join(folder, 'rounds-long'))
  return [
    figure('the same import with pages of 20 paragraphs and 20 links each', ratio, 'ratio', 1.2),
    figure('its highest memory, with the processes that read pictures', sumMegabytes, 'MB', 300),
  ]
}

/** The memory of imports of many links: more of them, and of several projects. */
async function many(folder: string, bin: string): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const links of [26, 100]) {
    const brand = join(folder, `links-${links}`)
    writeLargeBrand(brand, { pages: 10_000, pictures: 1, moreLinks: links - 10 })
    const { megabytes } = await housestyle(bin, 'import', brand, '--data', join(folder, `store-${links}`))
    figures.push(figure(`highest memory of an import of 10,000 pages with ${links} links each`, megabytes, 'MB', 300))
  }
  cpSync(join(folder, 'links-26/guide'), join(folder, 'links-100/second'), { recursive: true })
  const { megabytes } = await housestyle(bin, 'import', join(folder, 'links-100'), '--data', join(folder, 'store-2'))
  return [...figures, figure('the same of both as two projects of one folder', megabytes, 'MB', 300)]
}

function figure(name: string, value: number, unit: Figure['unit'], atMost: number): Figure {
  return { name, value, unit, wanted: { atMost } }
}

const QUIET = ['user.name=a', 'user.email=a@example.com', 'maintenance.auto=false'].flatMap(each => ['-c', each])

/** How long git takes to keep the same folder in a repository beside it, without what it would tidy up afterwards. */
function git(folder: string, repository: string): number {
  const places = ['--git-dir', repository, '--work-tree', folder]
  const ask = (...args: string[]) => execFileSync('git', [...QUIET, ...places, ...args], { stdio: 'ignore' })
  const began = performance.now()
  ask('init', '-q')
  ask('add', '-A', folder)
  ask('commit', '-qm', 'a')
  return performance.now() - began
}

type Cost = { ms: number; cpuMs: number; megabytes: number; helpersMegabytes: number; writtenMegabytes: number }

/**
 * Says at the end how much memory the process had at most, how much those that it started had, and how many bytes it gave
 * the disk (Linux).
 */
const TELL = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from 'node:fs'
  const read = path => readFileSync(path, 'utf8')
  const highest = pid => {
    try { return Number(/VmHWM:\\s+(\\d+)/.exec(read('/proc/' + pid + '/status'))[1]) } catch { return 0 }
  }
  let helpers = 0
  setInterval(() => {
    const pids = read('/proc/self/task/' + process.pid + '/children').split(' ').filter(Boolean)
    helpers = Math.max(helpers, pids.map(highest).reduce((sum, each) => sum + each, 0))
  }, 50).unref()
  process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS, helpers, read('/proc/self/io')))
`)}`

/** Runs a command to its end. The shell's `times` gives the processor time of all its processes, in its second line. */
async function housestyle(bin: string, ...args: string[]): Promise<Cost> {
  const command = [process.execPath, '--import', TELL, bin, ...args]
  const began = performance.now()
  const { stdout, stderr } = await run('sh', ['-c', '"$@" >&2 && times', 'sh', ...command])
  const ms = performance.now() - began
  const times = [...(stdout.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  const seconds = times.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0)
  const told = /^peak (?<kilobytes>\d+) (?<helpers>\d+) .*?^write_bytes: (?<written>\d+)$/ms.exec(stderr)?.groups
  const [megabytes, helpersMegabytes] = [Number(told?.kilobytes) / 1024, Number(told?.helpers) / 1024]
  return { ms, cpuMs: 1000 * seconds, megabytes, helpersMegabytes, writtenMegabytes: Number(told?.written) / 1e6 }
}
