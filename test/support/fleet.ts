import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { commandsWith, MAIN } from '../program/cli/housestyle.ts'
import { type Running, serve } from './command.ts'
import { freePort } from './free-port.ts'
import { startNginx } from './nginx.ts'
import { startPostgres } from './postgres.ts'
import { type Relay, startRelay } from './relay.ts'
import { startS3 } from './s3.ts'
import { temporaryFolder, writeFolder } from './temporary.ts'
import { SMALL_BRAND } from './temporary-store.ts'

/** Four processes on one Postgres and one bucket behind nginx, as in deploy/compose.nodes.yaml. */
export type Fleet = {
  /** The URLs of the nodes. */
  urls: readonly string[]
  /** The base URL with nginx. */
  front: string
  /** Runs a command in this process and returns its stdout. */
  run: (...args: string[]) => Promise<string>
  /** Imports acme/guidelines with a page that names the revision, and publishes it. */
  publish: (revision: number) => Promise<void>
  /** Relays the connections of commands, not nodes, to Postgres. */
  relay: Relay
  /** Ends the notification connections of the nodes; returns their number. */
  deafen: () => Promise<number>
  /** Stops or kills a node. */
  end: (at: number, signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>
  /** Restarts a node. */
  start: (at: number) => Promise<void>
}

const PUBLIC_URL = ['--public-url', 'http://brand.test']

/** Starts a fleet with two workspaces; one is published while two of the nodes are running. It stops with the tests. */
export async function startFleet(): Promise<Fleet> {
  const stops: (() => Promise<unknown>)[] = []
  after(async () => {
    for (const stop of stops.reverse()) await stop()
  })
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()])
  const [relay, folder] = [await startRelay(postgres.port), await temporaryFolder()]
  stops.push(postgres.stop, s3.stop, relay.stop)
  const database = await postgres.newDatabase()
  const shared = ['--files', await s3.newPlace(), '--data', folder]
  const relayed = ['--database', database.replace(`:${postgres.port}/`, `:${relay.port}/`), ...shared]
  const runRelayed = commandsWith(...relayed)
  const run = (...args: string[]) => runRelayed(...args, ...(args[1] === 'issue' ? PUBLIC_URL : []))
  const publish = async (revision: number) => {
    const page = { 'guidelines/pages/revision.md': `# Revision ${revision}\n` }
    await writeFolder(join(folder, 'acme'), { ...SMALL_BRAND, ...page })
    await run('import', join(folder, 'acme'))
    await run('publish', 'acme/guidelines')
  }
  await publish(1)
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()]
  const nodes = new Map<number, Running>()
  const options = ['--database', database, ...shared, ...PUBLIC_URL, '--trusted-proxies', '127.0.0.1', '--rate', 'off']
  const start = async (at: number) => {
    nodes.set(at, await serve(MAIN, ...options, '--port', `${ports[at]}`))
  }
  const end: Fleet['end'] = async (at, signal) => {
    const node = nodes.get(at)
    if (signal === 'SIGKILL') process.kill(node?.pid ?? 0, signal)
    return node?.stop() ?? null
  }
  stops.push(() => Promise.all(ports.keys().map(at => end(at, 'SIGTERM'))))
  await Promise.all([start(0), start(1)])
  await writeFolder(join(folder, 'aaa'), { 'guide/project.yaml': 'name: First by name\nvisibility: public\n' })
  await run('import', join(folder, 'aaa'))
  await run('publish', 'aaa/guide')
  await Promise.all([start(2), start(3)])
  const nginx = await startNginx(ports)
  stops.push(nginx.stop)
  return {
    urls: ports.map(port => `http://127.0.0.1:${port}`),
    front: `http://127.0.0.1:${nginx.port}`,
    run,
    publish,
    relay,
    deafen: () => endListeners(database),
    end,
    start,
  }
}

async function endListeners(database: string): Promise<number> {
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'housestyle' AND query LIKE '%MAX(number)%'`,
  )
  await client.end()
  return rows.length
}
