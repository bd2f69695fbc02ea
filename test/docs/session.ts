import { execFile } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openStore } from '#store/store.ts'
import { housestyle } from '../program/cli/housestyle.ts'
import { builtProgram } from '../support/built-program.ts'
import { DEFAULT_SETTINGS } from '../support/service.ts'
import { caughtUp, until } from '../support/until.ts'

/** A shell session in a temporary folder that contains `examples/`. */
export type Session = {
  /** The folder. */
  folder: string
  /**
   * Runs a command line and returns its output: a plain command of housestyle in this process, others in a shell. `serve`
   * and `dev` keep running; their output ends once they answer.
   */
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
  await symlink(builtProgram(), installed)
  await writeFile(join(folder, '.bin/housestyle'), `#!/bin/sh\nexec "${process.execPath}" "${installed}" "$@"\n`, {
    mode: 0o755,
  })
  const variables: Record<string, string> = {}
  let service: Service | undefined
  const inherited = Object.entries(process.env).flatMap(([name, value = '']) =>
    /^(?:HOUSESTYLE|npm)_/.test(name) ? [] : [[name, value]],
  )
  const environment = () => ({
    ...Object.fromEntries(inherited),
    ...variables,
    ...IDENTITY,
    HOME: folder,
    PATH: [join(folder, '.bin'), process.env.PATH].join(delimiter),
  })
  const start = async (args: readonly string[]) => {
    await service?.stop()
    service = await startService(args, folder, environment())
    return { exit: 0, output: service.output, complaint: '' }
  }
  const runLine = async (line: string) => {
    const args = argumentsOf(line, variables)
    // A command in this process ends before the service has noticed its change.
    if (line.startsWith('curl')) await service?.caughtUp()
    if (args === undefined) return runScript(line, folder, environment())
    const { status, stdout, stderr } = await housestyle(args, { cwd: folder, env: environment() }, USER)
    return { exit: status ?? 1, output: stdout, complaint: stderr }
  }
  return {
    folder,
    run: async line => {
      const installed = line.replaceAll('npx housestyle ', 'housestyle ')
      const command = installed.replace(/http:\/\/127\.0\.0\.1:\d+/g, service?.url ?? '$&')
      if (command.startsWith('npm ')) return startArguments(command).map(start)[0] ?? NOTHING
      const args = argumentsOf(command, variables)
      if (args?.[0] === 'serve' || args?.[0] === 'dev') return start(args)
      const [, name, script = command] = /^([A-Z_]+)=\$\((.*)\)$/.exec(command) ?? []
      let result = NOTHING
      // A busy machine may need longer to make the first index than a search waits.
      await until(async () => {
        result = await runLine(script)
        return !result.output.includes('The search index is not ready yet')
      }, 1000)
      if (name === undefined) return result
      variables[name] = result.output.trimEnd().replace(/http:\/\/127\.0\.0\.1:\d+/g, service?.url ?? '$&')
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

/** The user of this process, whom a command records. */
const USER = { user: userInfo().username, ...(process.geteuid && { userId: process.geteuid() }) }

const NOTHING = { exit: 0, output: '', complaint: '' }

/** The arguments of a command of housestyle whose words need no shell, except for variables. */
function argumentsOf(line: string, variables: Readonly<Record<string, string>>): string[] | undefined {
  const [, words = ''] = /^housestyle((?: (?:[\w./:=@,-]+|"[\w .]+"|"?\$[A-Z_]+"?))+)(?: # .*)?$/.exec(line) ?? []
  const found = words.match(/"[^"]*"|[^ ]+/g) ?? undefined
  return found?.map(word => word.replaceAll('"', '').replace(/\$([A-Z_]+)/, (_, name) => variables[name] ?? ''))
}

/**
 * The arguments of `npm start` in a line of npm commands. The other commands take minutes and run in test/package.slow.test.ts;
 * here, only their scripts and the package's file name are checked.
 */
function startArguments(line: string): string[][] {
  const known = ['npm ci', 'npm pack', `npm install -g ./housestyle-${version}.tgz`]
  return line.split(' && ').flatMap(command => {
    const [, script] = /^npm (?:run )?(\w+)$/.exec(command) ?? []
    if (known.includes(command)) return []
    if (script === undefined || !Object.hasOwn(scripts, script)) throw new Error(`${command} does not exist`)
    return script === 'start' ? [scripts.start.replace('node bin/housestyle.js ', '').split(' ')] : []
  })
}

type Service = { url: string; output: string; caughtUp: () => Promise<void>; stop: () => Promise<void> }

async function startService(args: readonly string[], cwd: string, env: Record<string, string>): Promise<Service> {
  const stopping = new AbortController()
  const wanted = args.includes('--print-token') ? /^curl .*\n/m : /^Documentation .*\n(?:\S.*\n)*/m
  let output = ''
  let complaint = ''
  let hasEnded = false
  const run = housestyle(
    [...args, '--port', '0'],
    { cwd, env },
    {
      ...USER,
      out: text => {
        output += text
      },
      err: text => {
        complaint += text
      },
      signal: stopping.signal,
    },
  ).finally(() => {
    hasEnded = true
  })
  await until(() => hasEnded || wanted.test(output))
  const stop = async () => {
    stopping.abort(new DOMException('SIGTERM', 'AbortError'))
    await run
  }
  const url = /^API +(\S+)\/beta$/m.exec(output)?.[1]
  const noticeChanges = async () => {
    if (url === undefined || args[0] === 'dev') return
    const at = args.indexOf('--data')
    const store = await openStore(join(cwd, (at !== -1 && args[at + 1]) || DEFAULT_SETTINGS.data))
    await caughtUp(url, store).finally(store.close)
  }
  if (url !== undefined && !hasEnded) return { url, output, caughtUp: noticeChanges, stop }
  await stop()
  throw new Error(`housestyle ${args.join(' ')} did not start; it printed:\n${output}${complaint}`)
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
