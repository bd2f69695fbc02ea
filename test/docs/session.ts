import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { builtProgram } from '../support/built-program.ts'
import { until } from '../support/until.ts'

/** A shell session in a temporary folder that contains `examples/`. */
export type Session = {
  /** The folder. */
  folder: string
  /** Runs a command line and returns its output. `serve` and `dev` keep running; their output ends once they answer. */
  run: (command: string) => Promise<{ exit: number; output: string; complaint: string }>
  /** Stops the running service and removes the folder. */
  end: () => Promise<void>
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const { scripts, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** Starts a session, in which the examples lack the paths that match. */
export async function startSession(lacking = /^$/): Promise<Session> {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-docs-'))
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true, filter: path => !lacking.test(path) })
  await mkdir(join(folder, '.bin/installed'), { recursive: true })
  const installed = join(folder, '.bin/installed/housestyle')
  await symlink(await builtProgram(), installed)
  await writeFile(join(folder, '.bin/housestyle'), `#!/bin/sh\nexec "${process.execPath}" "${installed}" "$@"\n`, {
    mode: 0o755,
  })
  const variables: Record<string, string> = {}
  let service: Service | undefined
  const environment = () => ({
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:HOUSESTYLE|npm)_/.test(name))),
    ...variables,
    ...IDENTITY,
    HOME: folder,
    PATH: [join(folder, '.bin'), process.env.PATH].join(delimiter),
  })
  const start = async (args: string) => {
    await service?.stop()
    service = await startService(args, folder, environment())
    return { exit: 0, output: service.output, complaint: '' }
  }
  return {
    folder,
    run: async line => {
      const command = line.replace(/http:\/\/127\.0\.0\.1:\d+/g, service?.url ?? '$&')
      if (command.startsWith('npm ')) return startArguments(command).map(start)[0] ?? NOTHING
      const served = /^housestyle ((?:serve|dev)\b.*)/.exec(command)?.[1]
      if (served !== undefined) return start(served)
      const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(command) ?? []
      const script = name === undefined ? command : `printf %s ${value}`
      let result = NOTHING
      // A busy machine may need longer to make the first index than a search waits.
      await until(async () => {
        result = await runScript(script, folder, environment())
        return !result.output.includes('The search index is not ready yet')
      }, 1000)
      if (name === undefined) return result
      variables[name] = result.output.replace(/http:\/\/127\.0\.0\.1:\d+/g, service?.url ?? '$&')
      return { ...result, output: '' }
    },
    end: async () => {
      await service?.stop()
      await rm(folder, { recursive: true })
    },
  }
}

/** The author of commits in a session. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

const NOTHING = { exit: 0, output: '', complaint: '' }

/**
 * The arguments of `npm start` in a line of npm commands. The other commands take minutes and run in test/package.test.ts;
 * here, only their scripts and the package's file name are checked.
 */
function startArguments(line: string): string[] {
  const known = ['npm ci', 'npm pack', `npm install -g ./housestyle-${version}.tgz`]
  return line.split(' && ').flatMap(command => {
    const [, script] = /^npm (?:run )?(\w+)$/.exec(command) ?? []
    if (known.includes(command)) return []
    if (script === undefined || !Object.hasOwn(scripts, script)) throw new Error(`${command} does not exist`)
    return script === 'start' ? [scripts.start.replace('node bin/housestyle.js ', '')] : []
  })
}

type Service = { url: string; output: string; stop: () => Promise<void> }

async function startService(args: string, folder: string, env: NodeJS.ProcessEnv): Promise<Service> {
  const script = `exec housestyle ${args} --port 0`
  const child = spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'exit')
  const wanted = args.includes('--print-token') ? /^curl .*\n/m : /^Documentation .*\n(?:\S.*\n)*/m
  const output = await readUntil(child, wanted)
  const stop = async () => {
    child.kill()
    await exit
  }
  const url = /^API +(\S+)\/beta$/m.exec(output)?.[1]
  if (url !== undefined) return { url, output, stop }
  await stop()
  throw new Error(`housestyle ${args} did not start; it printed:\n${output}`)
}

/** Reads a process's output until it matches. If the process ends or a minute passes, returns its errors. */
async function readUntil(child: ChildProcess, wanted: RegExp): Promise<string> {
  let output = ''
  let complaint = ''
  child.stdout?.on('data', chunk => {
    output += chunk
  })
  child.stderr?.on('data', chunk => {
    complaint += chunk
  })
  for (let waited = 0; waited < 300_000 && child.exitCode === null; waited += 20) {
    if (wanted.test(output)) return output
    await sleep(20)
  }
  return complaint
}

async function runScript(script: string, folder: string, env: NodeJS.ProcessEnv) {
  try {
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env, timeout: 300_000 })
    return { exit: 0, output: stdout, complaint: stderr }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'stdout' in error && 'stderr' in error)) throw error
    return { exit: Number(error.code), output: String(error.stdout), complaint: String(error.stderr) }
  }
}
