import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.ts'

/** A server of a test's own; `redis-server` must be installed. */
export type RedisServer = {
  port: number
  /** `redis://127.0.0.1:{port}` */
  url: string
  /** Lets it hang, and go on. */
  pause: () => void
  resume: () => void
  stop: () => Promise<void>
}

/** Starts a server on a port of 127.0.0.1 (absent: a free one), in a new folder, which is removed when it stops. */
export async function startRedis(options: { port?: number; args?: readonly string[] } = {}): Promise<RedisServer> {
  const port = options.port ?? (await freePort())
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-redis-'))
  const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--daemonize', 'no']
  const child = spawn('redis-server', [...place, ...(options.args ?? [])], { stdio: ['ignore', 'pipe', 'ignore'] })
  const exit = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await exit
    await rm(folder, { recursive: true, force: true })
  }
  const said: string[] = []
  const patience = setTimeout(() => child.kill(), 10_000)
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line)
    if (!line.includes('Ready to accept connections')) continue
    clearTimeout(patience)
    child.stdout.resume()
    return {
      port,
      url: `redis://127.0.0.1:${port}`,
      pause: () => child.kill('SIGSTOP'),
      resume: () => child.kill('SIGCONT'),
      stop,
    }
  }
  clearTimeout(patience)
  await stop()
  throw new Error(`redis-server ended before it answered: ${said.join('\n')}`)
}
