import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { PATIENCE_MS } from './patience.ts'
import { pathOf } from './programs.ts'

const SHIPPED = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8')

/** An nginx for one test; `log` returns its request log, and `errors` its error log. */
export type Nginx = {
  port: number
  log: () => Promise<string>
  errors: () => Promise<string>
  stop: () => Promise<void>
}

/** Starts nginx with `deploy/nginx.conf`, which `edit` may change, in front of local services, which replace the nodes. */
export async function startNginx(nodePorts: readonly number[], edit = (shipped: string) => shipped): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-nginx-'))
  const port = await freePort()
  const configuration = join(folder, 'nginx.conf')
  await writeFile(configuration, forThisMachine(edit(SHIPPED), { folder, port, nodePorts }))
  const errors = join(folder, 'error.log')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const args = ['-e', errors, '-c', configuration, '-g', `daemon off; ${user}`]
  const child = spawn(pathOf('nginx') ?? '', args, { stdio: 'ignore' })
  const exit = once(child, 'exit')
  const stop = async () => {
    child.kill()
    await exit
    await rm(folder, { recursive: true, force: true })
  }
  for (const endMs = performance.now() + PATIENCE_MS; !(await answers(port)); ) {
    if (performance.now() > endMs || child.exitCode !== null)
      throw new Error(`nginx: ${await readFile(errors, 'utf8')}`)
    await sleep(50)
  }
  const log = () => readFile(join(folder, 'access.log'), 'utf8')
  return { port, log, errors: () => readFile(errors, 'utf8'), stop }
}

type Place = { folder: string; port: number; nodePorts: readonly number[] }

/** Replaces only the addresses and folders in the configuration. */
function forThisMachine(shipped: string, { folder, port, nodePorts }: Place): string {
  const nodes = /^ *server node\d:4080(.*;)\n/gm
  let seen = 0
  return shipped
    .replace(nodes, (_, flags) => {
      const at = seen++ % 4
      return at < nodePorts.length ? `server 127.0.0.1:${nodePorts[at]}${flags}\n` : ''
    })
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replaceAll('/tmp/', `${folder}/`)
    .replace('/var/cache/nginx/files', `${folder}/files`)
    .replace('error_log stderr', `error_log ${folder}/error.log`)
    .replace('/dev/stdout', `${folder}/access.log`)
}

async function answers(port: number): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined)
  return reply?.status === 404
}
