import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import type { Brands } from './brands.ts'
import type { Round } from './closed-loop.ts'
import { startNginx } from './nginx.ts'
import { startPeers } from './peers.ts'
import { type Server, startServer } from './processes.ts'
import { startProduct } from './product.ts'
import { clientsWith, filePath, subjects } from './subjects.ts'
import { type Request, writeRequests } from './wire.ts'

/** A server, and what it is asked for time and again. `differs` says what stands behind its figure. */
export type Row = { name: string; differs: string; server: Server; requests: string; rounds: Round[] }

export const CONSTANT = 'node:http: a constant reply'

type Plan = { name: string; differs: string; server: Server; requests: readonly Request[] }

/** Starts all servers, and writes what each is asked for into files of the folder. */
export async function makeRows(
  { folder, bin, brands, peers }: { folder: string; bin: string; brands: Brands; peers: boolean },
  started: AsyncDisposableStack,
): Promise<Row[]> {
  const product = started.adopt(await startProduct(bin, brands), ({ stop }) => stop())
  const file = await filePath(product.url, brands)
  const asked = await subjects(product.url, brands, file)
  const requests = asked.flatMap(each => each.requests)
  const nginx = started.adopt(await startNginx(folder, product.url, requests), ({ stop }) => stop())
  const files = await subjects(nginx.url, brands, file)
  const plans: Plan[] = [
    ...asked.map(each => ({ ...each, name: `housestyle: ${each.what}`, server: product })),
    await constant(asked[0]?.requests ?? [], started),
    ...files.map(each => ({ ...each, name: `nginx: ${each.what}`, differs: FILES, server: nginx })),
  ]
  if (peers) plans.push(...(await others(folder, started)))
  return Promise.all(
    plans.map(async ({ name, differs, server, requests }, at) => ({
      name,
      differs,
      server,
      requests: await writeRequests(join(folder, `requests-${at}`), server.url, requests),
      rounds: [],
    })),
  )
}

const FILES = 'the same bytes and header fields from files, no checks; its own entity tags'

async function constant(requests: readonly Request[], started: AsyncDisposableStack): Promise<Plan> {
  const port = String(await freePort())
  const args = [join(import.meta.dirname, 'constant.js'), port]
  const server = await startServer({ url: `http://127.0.0.1:${port}`, program: process.execPath, args })
  started.defer(server.stop)
  return { name: CONSTANT, differs: '1,900 bytes of memory, no checks: what the runtime gives', server, requests }
}

async function others(folder: string, started: AsyncDisposableStack): Promise<Plan[]> {
  const peers = await startPeers(folder, started)
  return peers.map(({ path, authorization, ...peer }) => ({
    ...peer,
    requests: clientsWith(authorization).map(headers => ({ path, headers })),
  }))
}
