import { execFile } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SERVER_CORE } from '../api/processes.ts'
import { pagePath } from '../large-brand.ts'

/** A brand folder whose project `guide` has so many pages, the store that it is imported into, and where that is served. */
export type Site = { bin: string; store: readonly string[]; folder: string; pages: number; url: string }

/** How often what was done while it went on. */
export type Done = { publications: number; views: number; searches: number }

const [VIEWS_PER_SECOND, SEARCHES_PER_SECOND] = [20, 10]
/** Commands have a core of their own if there is one, and otherwise what the server leaves of its own. */
const COMMAND_CORE = availableParallelism() > 2 ? 2 : SERVER_CORE

/**
 * Until it is stopped: changes, imports and publishes pages, one command after the other; reads pages that nobody has
 * read since they were published, compressed; and searches.
 */
export function startWork(site: Site): { stop: () => Promise<Done> } {
  const done: Done = { publications: 0, views: 0, searches: 0 }
  let isStopping = false
  const repeat = async (work: () => Promise<void>, perSecond: number) => {
    for (let due = performance.now(); !isStopping; due += 1000 / perSecond) {
      await sleep(Math.max(0, due - performance.now()))
      await work()
    }
  }
  const all = Promise.all([
    repeat(() => publish(site, done), Number.POSITIVE_INFINITY),
    repeat(() => view(site, done), VIEWS_PER_SECOND),
    repeat(() => search(site, done), SEARCHES_PER_SECOND),
  ])
  return {
    stop: async () => {
      isStopping = true
      await all
      return done
    },
  }
}

async function publish(site: Site, done: Done): Promise<void> {
  appendFileSync(join(site.folder, 'guide', pagePath(done.publications)), '\nAnd this.\n')
  await command(site, 'import', site.folder)
  await command(site, 'publish', '--all')
  done.publications++
}

async function command({ bin, store }: Site, ...args: string[]): Promise<void> {
  const line = ['-c', String(COMMAND_CORE), 'nice', '-n', '19', process.execPath, bin, ...args, ...store]
  await promisify(execFile)('taskset', line)
}

async function view({ url, pages }: Site, done: Done): Promise<void> {
  const at = done.views % pages
  await read(`${url}/large/guide/s${at % 100}/p${at}`)
  done.views++
}

async function search({ url }: Site, done: Done): Promise<void> {
  await read(`${url}/large/guide/-/search?q=page+${done.searches}`)
  done.searches++
}

async function read(address: string): Promise<void> {
  const reply = await fetch(address, { headers: { 'accept-encoding': 'br', accept: 'text/html' } })
  await reply.arrayBuffer()
  if (reply.status !== 200) throw new Error(`${address} answers ${reply.status}`)
}
