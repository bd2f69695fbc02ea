import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import type { Brands } from './brands.ts'
import type { Round } from './closed-loop.ts'
import { startNginx } from './nginx.ts'
import { startPeers } from './peers.ts'
import { type Server, startServer } from './processes.ts'
import { EDITIONS, startProduct } from './product.ts'
import { clientsWith, type Subject, subjects } from './subjects.ts'
import { wire, writeRequests } from './wire.ts'

/** A server, and what it is asked for time and again. `differs` says what stands behind its figure. */
export type Row = { name: string; differs: string; server: Server; requests: string; rounds: Round[] }

/** All editions have rows of the API and a public page, and the first one all others, too. */
const SHARED = 2

export const CONSTANT = 'node:http: a constant reply'

type Plan = { name: string; differs: string; server: Server; requests: readonly string[] }

/** Starts all servers, and writes what each is asked for into files of the folder. */
export async function makeRows(
  { folder, bin, brands, peers }: { folder: string; bin: string; brands: Brands; peers: boolean },
  started: AsyncDisposableStack,
): Promise<Row[]> {
  const plans: Plan[] = []
  let asked: readonly Subject[] = []
  for (const [at, edition] of EDITIONS.entries()) {
    const server = started.adopt(await startProduct(bin, brands, edition), ({ stop }) => stop())
    const all = await subjects(server.url, brands)
    if (at === 0) asked = all
    const shown = at === 0 ? all : all.slice(0, SHARED)
    plans.push(...shown.map(({ what, ...rest }) => ({ ...rest, name: `${edition.name}: ${what}`, server })))
  }
  plans.push(await constant(asked, started), ...(await files(folder, asked, started)))
  if (peers) plans.push(...(await others(folder, started)))
  return Promise.all(
    plans.map(async ({ requests, ...plan }, at) => ({
      ...plan,
      requests: await writeRequests(join(folder, `requests-${at}`), requests),
      rounds: [],
    })),
  )
}

async function constant(asked: readonly Subject[], started: AsyncDisposableStack): Promise<Plan> {
  const port = String(await freePort())
  const args = [join(import.meta.dirname, 'constant.js'), port]
  const server = await startServer({ url: `http://127.0.0.1:${port}`, program: process.execPath, args })
  started.defer(server.stop)
  const differs = '1,900 bytes of memory, no checks: what the runtime gives'
  return { name: CONSTANT, differs, server, requests: asked[0]?.requests ?? [] }
}

async function files(folder: string, asked: readonly Subject[], started: AsyncDisposableStack): Promise<Plan[]> {
  const same = asked.flatMap(({ what, requests, reply }) => (reply ? [{ what, requests, reply }] : []))
  const { server, urls } = await startNginx(
    folder,
    same.map(({ reply }) => reply),
  )
  started.defer(server.stop)
  return same.map(({ what, requests }, at) => ({
    name: `nginx: ${what}`,
    differs: 'the same bytes and header fields from a file, no checks',
    server: { ...server, url: urls[at] ?? '' },
    requests,
  }))
}

async function others(folder: string, started: AsyncDisposableStack): Promise<Plan[]> {
  const peers = await startPeers(folder, started)
  return peers.map(({ path, authorization, server, ...peer }) => ({
    ...peer,
    server,
    requests: clientsWith(authorization).map(client => wire(server.url + path, client)),
  }))
}
