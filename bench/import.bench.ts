import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pagePath, writeLargeBrand } from './large-brand.ts'
import { median } from './median.ts'
import { unpackPackage } from './package.ts'
import type { Figure } from './run.ts'

const ROUNDS = 7
const run = promisify(execFile)

/** What importing 10,000 pages and 2,000 pictures costs: beside git, again, and after a change of one page. */
export async function measure(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    const bin = unpackPackage(folder)
    const brand = join(folder, 'acme')
    const data = join(folder, 'store')
    writeLargeBrand(brand, { pages: 10_000, pictures: 2_000 })
    const { ratio, megabytes, sumMegabytes } = await besideGit(bin, brand, data)
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

/** An import of a folder and git's keeping of it, in turn: their ratio, and the memory of the import, as medians. */
async function besideGit(
  bin: string,
  brand: string,
  data: string,
): Promise<{ ratio: number; megabytes: number; sumMegabytes: number }> {
  const rounds: { ratio: number; cost: Cost }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const gitMs = git(brand)
    rmSync(data, { recursive: true, force: true })
    const cost = await housestyle(bin, 'import', brand, '--data', data)
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
  const { ratio, sumMegabytes } = await besideGit(bin, brand, join(folder, 'store-long'))
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

/** How long git takes to keep the same folder, without what it would tidy up afterwards. */
function git(folder: string): number {
  const began = performance.now()
  const ask = (...args: string[]) => execFileSync('git', [...QUIET, ...args], { cwd: folder, stdio: 'ignore' })
  ask('init', '-q')
  ask('add', '-A')
  ask('commit', '-qm', 'a')
  const ms = performance.now() - began
  rmSync(join(folder, '.git'), { recursive: true })
  return ms
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
