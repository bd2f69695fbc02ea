import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { answerFromGit } from '../test/support/git-backend.ts'
import { writeFolder } from '../test/support/temporary.ts'
import { type Bench, type Figure, median } from './support/bench.ts'
import { largeBrand } from './support/brands.ts'

const ROUNDS = 5

/** Imports and pulls of the largest comfortable project, next to git with the same files. */
export async function* measure({ bin, folder, started }: Bench): AsyncGenerator<Figure> {
  const brand = join(folder, 'large')
  await writeFolder(brand, largeBrand())
  const server = createServer((request, response) => answerFromGit(folder, request, response))
  started.defer(() => server.close().closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const rounds: Round[] = []
  while (rounds.length < ROUNDS) rounds.push(await measureRound({ bin, folder, brand, url, name: `${rounds.length}` }))
  const row = (name: string, measured: keyof Round, other: keyof Round, atMost: number): Figure => {
    const ratio = (unit: keyof Cost) => median(rounds.map(round => round[measured][unit] / round[other][unit]))
    const seconds = median(rounds.map(round => round[measured].elapsed))
    const note = `${seconds.toFixed(1)} s; ratio of processor time ${ratio('processor').toFixed(2)}`
    return { name, value: ratio('elapsed'), unit: 'ratio', bound: { atMost }, note }
  }
  yield row('import ÷ git init, add and commit', 'imported', 'committed', 2.5)
  yield row('first pull ÷ git clone --depth 1', 'pulled', 'cloned', 4)
  yield row('pull of one changed page ÷ first pull', 'pulledChange', 'pulled', 1)
}

/** In seconds. */
type Cost = { elapsed: number; processor: number }

type Round = { committed: Cost; imported: Cost; cloned: Cost; pulled: Cost; pulledChange: Cost }

type Setup = { bin: string; folder: string; brand: string; url: string; name: string }

/** Uses new stores and repositories; removes nothing, because ext4 creates files slowly for minutes after that. */
async function measureRound({ bin, folder, brand, url, name }: Setup): Promise<Round> {
  const git = `git --git-dir=${join(folder, `${name}.git`)} --work-tree=.`
  const commit = `${git} add -A . && ${git} -c user.name=a -c user.email=a@example.com -c maintenance.auto=false commit -qm a`
  const housestyle = (store: string, ...args: string[]) =>
    cost(process.execPath, bin, ...args, '--data', join(folder, `${store}-${name}`))
  const committed = await cost('sh', '-c', `cd ${brand} && ${git} init -q && ${commit}`)
  const imported = await housestyle('imported', 'import', brand)
  // Otherwise git searches for deltas of noise for minutes.
  await cost('sh', '-c', `${git} config core.bigFileThreshold 10k`)
  const cloned = await cost('git', 'clone', '--quiet', '--depth', '1', `${url}/${name}.git`, join(folder, name))
  const pull = () => housestyle('pulled', 'pull', '--git', `${url}/${name}.git`)
  const pulled = await pull()
  writeFileSync(join(brand, 'guide/pages/index.md'), `# Round ${name}\n`)
  await cost('sh', '-c', `cd ${brand} && ${commit}`)
  return { committed, imported, cloned, pulled, pulledChange: await pull() }
}

/** Runs a command to its end, after the disk has written everything from before. */
async function cost(...command: readonly string[]): Promise<Cost> {
  execFileSync('sync')
  const began = performance.now()
  // The second line of `times` is the processor time of all child processes.
  const { stdout } = await promisify(execFile)('sh', ['-c', '"$@" >/dev/null && times', 'sh', ...command])
  const elapsed = (performance.now() - began) / 1000
  const times = [...(stdout.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  const processor = times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
  return { elapsed, processor }
}
