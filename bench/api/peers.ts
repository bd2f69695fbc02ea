import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
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
const ENV = { NODE_ENV: 'production' }
const run = promisify(execFile)

/** Installs the peers if need be, and starts them. Throws if one does not answer as it should. */
export async function startPeers(parent: string, started: AsyncDisposableStack): Promise<Peer[]> {
  await install()
  const database = join(parent, 'payload.db')
  await run(process.execPath, [join(folder, 'payload.js'), 'prepare', database, TOKEN])
  const peers: Peer[] = []
  for (const { args, ...peer } of table(database)) {
    const port = String(await freePort())
    const command = { url: `http://127.0.0.1:${port}`, program: process.execPath, args: args(port), env: ENV }
    const server = await startServer(command)
    started.defer(server.stop)
    await expectToken(peer, server)
    peers.push({ ...peer, server })
  }
  return peers
}

function table(database: string) {
  const bearer = `Bearer ${TOKEN}`
  const [prism, document] = [
    join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js'),
    join(root, 'openapi.json'),
  ]
  return [
    {
      name: 'json-server',
      differs: 'a page in memory, compressed each time; compares one token; no limit, drafts',
      path: '/pages/page-1',
      authorization: bearer,
      args: (port: string) => [join(folder, 'json-server.js'), port, TOKEN],
    },
    {
      name: 'Prism',
      differs: 'the example of openapi.json; any token; no store, limit, compression',
      path: '/workspace/acme/project/guidelines/page/index',
      authorization: bearer,
      args: (port: string) => [
        prism,
        'mock',
        document,
        '--port',
        port,
        '--no-multiprocess',
        '--verboseLevel',
        'silent',
      ],
    },
    {
      name: 'Payload',
      differs: 'SQLite, drafts, a key of the API; without Next, limit, compression',
      path: '/api/pages/1',
      authorization: `users API-Key ${TOKEN}`,
      args: (port: string) => [join(folder, 'payload.js'), 'serve', database, TOKEN, port],
    },
  ]
}

async function install(): Promise<void> {
  const [wanted, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map(name => join(folder, name))
  if (!wanted || !installed) return
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return
  console.log('  installing what to compare with: npm ci in bench/peers')
  try {
    await run('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
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
