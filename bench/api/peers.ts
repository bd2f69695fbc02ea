import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../test/support/free-port.ts'
import { type Server, startServer } from './processes.ts'
import { replyTo } from './reply.ts'

/** Another server that has the nearest thing to one published page behind a token. */
export type Peer = { name: string; differs: string; path: string; authorization: string; server: Server }

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'bench/peers')
/** In the form that all of them take. */
const TOKEN = '6f9c1e0a-53b7-4c1d-9d0e-2b7a4f8e6c35'
const ENV = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
const run = promisify(execFile)

/** Installs the peers if need be, and starts them. Throws if one does not answer as it should. */
export async function startPeers(parent: string, started: AsyncDisposableStack): Promise<Peer[]> {
  await install()
  const env = { ...ENV, DATABASE: join(parent, 'payload.db') }
  const prepare = [join(folder, 'payload/prepare.js'), TOKEN]
  await run(process.execPath, prepare, { env: { ...process.env, DATABASE: env.DATABASE } })
  const peers: Peer[] = []
  for (const { args, ...peer } of TABLE) {
    const port = String(await freePort())
    const command = { url: `http://127.0.0.1:${port}`, program: process.execPath, args: args(port), env }
    const server = await startServer(command)
    started.defer(server.stop)
    await expectToken(peer, server)
    peers.push({ ...peer, server })
  }
  return peers
}

const BEARER = `Bearer ${TOKEN}`
const PRISM = join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js')
const NEXT = join(folder, 'node_modules/next/dist/bin/next')
const TABLE = [
  {
    name: 'json-server',
    differs: 'a page in memory, compressed each time; compares one token; no limit, drafts',
    path: '/pages/page-1',
    authorization: BEARER,
    args: (port: string) => [join(folder, 'json-server.js'), port, TOKEN],
  },
  {
    name: 'Prism',
    differs: 'the example of openapi.json; any token; no store, limit, compression',
    path: '/workspace/acme/project/guidelines/page/index',
    authorization: BEARER,
    args: (port: string) => [
      PRISM,
      'mock',
      join(root, 'openapi.json'),
      '--port',
      port,
      '--no-multiprocess',
      '-v',
      'silent',
    ],
  },
  {
    name: 'Payload',
    differs: 'SQLite, drafts, a key of the API, compressed each time, in Next; no limit',
    path: '/api/pages/1',
    authorization: `users API-Key ${TOKEN}`,
    args: (port: string) => [NEXT, 'start', join(folder, 'payload'), '--hostname', '127.0.0.1', '--port', port],
  },
]

/** Installs the packages, and builds Payload, unless that was done with what is there now. */
async function install(): Promise<void> {
  const stamp = join(folder, 'node_modules/.installed')
  const contents = ['package-lock.json', 'payload/payload.config.js'].map(path => readFileSync(join(folder, path)))
  const wanted = hash('sha256', Buffer.concat(contents))
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('  installing what to compare with: npm ci in bench/peers, and next build')
  try {
    await run('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
    await run(process.execPath, [NEXT, 'build', join(folder, 'payload')], { env: { ...process.env, ...ENV } })
    writeFileSync(stamp, wanted)
  } catch (cause) {
    const advice = 'run `npm ci --ignore-scripts` in bench/peers to see why, or leave them out with --no-peers'
    throw new Error(`cannot install what to compare with: ${advice}`, { cause })
  }
}

async function expectToken({ name, path, authorization }: Omit<Peer, 'server'>, { url }: Server): Promise<void> {
  const [open, closed] = [await replyTo(url + path, { authorization }), await replyTo(url + path)]
  if (open.status !== 200) throw new Error(`${name} answers ${open.status}: ${open.body}`)
  if (closed.status !== 401 && closed.status !== 403) throw new Error(`${name} asks for no token`)
}
