import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Redis } from 'ioredis'
import { type LimitsAddress, parseLimitsAddress } from '#platform/settings/shared-addresses.ts'
import { freePort } from './free-port.ts'
import { PATIENCE_MS } from './patience.ts'
import { needs } from './programs.ts'
import { until } from './until.ts'

/** What tests with a Redis server need. */
export const REDIS = needs('redis-server')

/** A Redis server for one test; requires `redis-server`. */
export type RedisServer = {
  port: number
  /** `redis://127.0.0.1:{port}`, with its password before the host */
  url: string
  /** A section of its `INFO` reply. */
  info: (section: string) => Promise<string>
  /** Pauses and resumes it. */
  pause: () => void
  resume: () => void
  stop: () => Promise<void>
}

/** Starts a server on a port of 127.0.0.1 (absent: a free one), in a new folder that is removed when it stops. */
export async function startRedis(
  options: { port?: number; password?: string; args?: readonly string[] } = {},
): Promise<RedisServer> {
  const { password, args = [] } = options
  const port = options.port ?? (await freePort())
  const access = password === undefined ? [] : ['--requirepass', password]
  return start({ port, password, args: ['--save', '', ...access, ...args], readyLine: 'Ready to accept connections' })
}

/** Starts a sentinel with this configuration. */
export async function startSentinel(
  port: number,
  config: readonly string[],
  args: readonly string[] = [],
): Promise<RedisServer> {
  return start({ port, args: [...args, '--sentinel'], config: `${config.join('\n')}\n`, readyLine: '+monitor' })
}

/** Makes a server send its data to a replica at once, without waiting for others. */
export const REPLICA_AT_ONCE = ['--repl-diskless-sync-delay', '0']

/** Waits until a replica has acknowledged all writes so far. */
export async function untilReplicated({ info }: RedisServer): Promise<void> {
  const written = Number(/master_repl_offset:(\d+)/.exec(await info('replication'))?.[1])
  await until(async () => Number(/state=online,offset=(\d+)/.exec(await info('replication'))?.[1]) >= written)
}

type Started = {
  port: number
  password?: string | undefined
  args: readonly string[]
  config?: string
  readyLine: string
}

async function start({ port, password, args, config, readyLine }: Started): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-redis-'))
  const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--daemonize', 'no']
  const file = join(folder, 'redis.conf')
  await writeFile(file, config ?? '')
  const child = spawn('redis-server', [file, ...place, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const exit = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await exit
    await rm(folder, { recursive: true, force: true })
  }
  const url = `redis://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`
  const said: string[] = []
  const patience = setTimeout(() => child.kill(), PATIENCE_MS)
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line)
    if (!line.includes(readyLine)) continue
    clearTimeout(patience)
    child.stdout.resume()
    return {
      port,
      url,
      info: section => infoOf(url, section),
      pause: () => child.kill('SIGSTOP'),
      resume: () => child.kill('SIGCONT'),
      stop,
    }
  }
  clearTimeout(patience)
  await stop()
  throw new Error(`redis-server ended before it answered: ${said.join('\n')}`)
}

/** Parses an address for `--limits`. */
export function limitsAt(text: string): LimitsAddress {
  const address = parseLimitsAddress(text)
  if (!address) throw new Error('this is not a limits address')
  return address
}

/** A section of the `INFO` reply (https://valkey.io/commands/info/). */
async function infoOf(url: string, section: string): Promise<string> {
  const client = new Redis(url)
  try {
    return await client.info(section)
  } finally {
    client.disconnect()
  }
}
