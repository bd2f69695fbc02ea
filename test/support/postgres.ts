import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { PATIENCE_MS } from './patience.ts'
import { needs, pathOf } from './programs.ts'

const CACHE = join(import.meta.dirname, '../../node_modules/.cache')

/** What tests with a Postgres server need. */
export const POSTGRES = needs('postgres')

/** A Postgres server for one test; requires Debian's `postgresql`. */
export type PostgresServer = {
  port: number
  /** Makes an empty database: `postgres://postgres@127.0.0.1:{port}/{name}`. */
  newDatabase: () => Promise<string>
  /** Runs SQL as superuser in a database. */
  query: (sql: string, database?: string) => Promise<pg.QueryResult>
  /** Ends the server: by default at once, like a crash; more gently with SIGINT, or abruptly with SIGKILL. */
  kill: (signal?: NodeJS.Signals) => Promise<void>
  /** Restarts it. */
  start: () => Promise<void>
  /** Starts a standby, which follows the server until it is promoted. */
  startStandby: () => Promise<PostgresServer>
  stop: () => Promise<void>
}

/** Starts a server on a free port of 127.0.0.1, in a new folder that is removed when it stops. */
export function startPostgres(more: readonly string[] = []): Promise<PostgresServer> {
  return startIn(more, makeData)
}

/** Makes the data of a new server, or copies it, which takes a tenth of the processor time. */
function makeData(data: string, as: As): void {
  const program = pathOf('initdb') ?? ''
  const template = join(CACHE, execFileSync(program, ['--version'], { encoding: 'utf8' }).replace(/\W+/g, '-'))
  if (existsSync(template)) return void execFileSync('cp', ['-a', template, data])
  const settings = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(program, ['-D', data, ...settings], as)
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'postgres-'))
  execFileSync('cp', ['-a', data, join(folder, 'data')])
  try {
    renameSync(join(folder, 'data'), template)
  } catch {} // Another process has made it meanwhile.
  rmSync(folder, { recursive: true })
}

/** Shared memory in files of its folder, because a killed server leaves other shared memory behind. */
const SETTINGS = ['fsync=off', 'max_connections=60', 'dynamic_shared_memory_type=mmap'].flatMap(each => ['-c', each])

type As = { cwd: string; stdio: 'ignore'; uid?: number; gid?: number }

async function startIn(more: readonly string[], makeData: (data: string, as: As) => void): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-postgres-'))
  const user = otherUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const as = { ...user, cwd: folder, stdio: 'ignore' } as const
  makeData(data, as)
  const port = await freePort()
  const url = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`
  const options = ['-h', '127.0.0.1', '-k', folder, ...SETTINGS, ...more]
  const query = async (sql: string, database = 'postgres') => {
    const client = new pg.Client(url(database))
    client.on('error', () => undefined)
    try {
      await client.connect()
      return await client.query(sql)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  let child: ReturnType<typeof spawn> | undefined
  const hasEnded = () => child === undefined || child.exitCode !== null || child.signalCode !== null
  const start = async () => {
    for (const endMs = performance.now() + PATIENCE_MS; ; ) {
      // The server does not start while processes of a killed server are still ending.
      if (hasEnded()) child = spawn(pathOf('postgres') ?? '', ['-D', data, '-p', `${port}`, ...options], as)
      try {
        return void (await query('SELECT 1'))
      } catch (error) {
        if (performance.now() > endMs) throw error
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    }
  }
  const end = async (signal: NodeJS.Signals) => {
    if (!child || hasEnded()) return
    child.kill(signal)
    await once(child, 'exit')
  }
  await start()
  let made = 0
  return {
    port,
    query,
    newDatabase: async () => {
      const name = `store${++made}`
      await query(`CREATE DATABASE ${name}`)
      return url(name)
    },
    kill: (signal = 'SIGQUIT') => end(signal),
    start,
    startStandby: () =>
      startIn(more, (copy, copyAs) =>
        execFileSync(
          pathOf('pg_basebackup') ?? '',
          ['-D', copy, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', '-d', url('postgres')],
          copyAs,
        ),
      ),
    stop: async () => {
      await end('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Another user for the server, which does not run as root. */
export function otherUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
