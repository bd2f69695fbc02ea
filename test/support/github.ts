import type { ServerResponse } from 'node:http'
import { routeFinder } from '#brand/contract/route.ts'
import { GITHUB_ROUTES } from '#people/signin/github-signin.ts'
import { trustedFetch } from '#platform/outgoing/outgoing-fetch.ts'
import { openMetrics } from '#platform/telemetry/metrics.ts'
import { openShared } from '#program/compose/shared.ts'
import { signinContext } from '#program/compose/signin.ts'
import { openWebsite } from '#program/compose/website.ts'
import type { Service } from '#program/http/service/service.ts'
import { SITE_ROUTES } from '#site/routes.ts'
import { localServer } from './local-server.ts'
import { DEFAULT_SETTINGS, silent } from './service.ts'
import type { TemporaryStore } from './temporary-store.ts'

/** A GitHub on this machine, whose person agrees at once. */
export type Github = {
  url: string
  /** The fields of the requests for tokens so far. */
  exchanges: Record<string, string>[]
  /** Answers requests for tokens. */
  answer: (response: ServerResponse) => void
  stop: () => Promise<void>
}

export const TOKEN = 'gho_secrettoken'
export const APP = { id: 'Iv1.app', secret: 'the secret of the app' }

/** Starts a GitHub that gives the code `secretcode`, and for it a token unless `answer` is replaced. */
export async function startGithub(): Promise<Github> {
  const github: Github = {
    url: '',
    exchanges: [],
    answer: json({ access_token: TOKEN, token_type: 'bearer' }),
    stop: async () => undefined,
  }
  const { url, stop } = await localServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    if (pathname === '/login/oauth/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = `${new URLSearchParams({ code: 'secretcode', state: searchParams.get('state') ?? '' })}`
      response.writeHead(302, { Location: back.href }).end()
      return
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    github.exchanges.push(Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())))
    github.answer(response)
  })
  return Object.assign(github, { url, stop })
}

/** Makes an answer of JSON. */
export function json(value: object): Github['answer'] {
  return response => void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}

/** The website of a store with the sign-in of the editor at this GitHub; the log has lines as text. */
export async function githubService(
  { store }: Pick<TemporaryStore, 'store'>,
  origin: string,
  publicUrl: string,
  hasApp = true,
) {
  const clock = { now: Date.now() }
  const lines: string[] = []
  const write = (...line: unknown[]) => void lines.push(JSON.stringify(line))
  const log = { ...silent, error: write, warn: write, info: write, debug: write }
  const time = () => clock.now
  const metrics = openMetrics()
  const shared = await openShared({
    settings: DEFAULT_SETTINGS,
    store,
    log,
    metrics,
    publicUrl,
    clock: time,
    ticks: time,
  })
  const { site } = openWebsite(shared.service, { log, metrics })
  const github = hasApp
    ? { ...APP, origin, fetch: trustedFetch({ maxMs: 1000 }), flowKey: new Uint8Array(32) }
    : undefined
  const signin = { ...signinContext(shared, site), github }
  const find = routeFinder<{ signin: typeof signin; site: typeof site }>([...GITHUB_ROUTES, ...SITE_ROUTES])
  const service: Service = request => {
    const { route, ids } = find(request.path)
    return route.answer({ signin, site }, request, ids)
  }
  return { service, clock, lines, shared }
}
