import { openSessions } from '../../src/access/session/session-verifier.ts'
import { addSignin, type NewSignin } from '../../src/access/session/signins.ts'
import { openCaches } from '../../src/caches/caches.ts'
import { unwrap } from '../../src/cli/failure.ts'
import { headersOf } from '../../src/exchange/message.ts'
import { splitTarget } from '../../src/exchange/target.ts'
import { listProjects } from '../../src/store/catalogue/catalogue.ts'
import { type Answer, silent, type TestService, type TestSettings, testService } from './service.ts'
import type { TemporaryStore } from './temporary-store.ts'

/** The public URL of services that people sign in to; nothing listens there. */
export const PEOPLE_URL = 'http://127.0.0.1:9'
export const SECRET = 'the secret of the client'

/** A browser at a service: it keeps cookies, and follows no redirects. */
export type Visitor = {
  get: (address: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>
  post: (
    address: string,
    form: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>
  cookies: Map<string, string>
}

/** Makes a visitor; `services` answer its requests in turn, as behind a load balancer. */
export function visitor(...services: readonly TestService[]): Visitor {
  const cookies = new Map<string, string>()
  let turn = 0
  const send = async (
    method: string,
    address: string,
    headers: Readonly<Record<string, string>>,
    body?: Uint8Array,
  ) => {
    const target = address.startsWith(PEOPLE_URL) ? address.slice(PEOPLE_URL.length) : address
    const split = splitTarget(target)
    const service = services[turn++ % services.length]
    if (!split || !service) throw new Error(`${address} is not an address of the service`)
    const cookie = Array.from(cookies, pair => pair.join('=')).join('; ')
    const fields = { accept: 'text/html', ...(cookie !== '' && { cookie }), ...headers }
    const request = {
      method,
      ...split,
      headers: fields,
      authorizations: 0,
      address: '127.0.0.1',
      ...(body && { body }),
    }
    const reply = await service.service(request)
    const pairs = headersOf(reply)
    const answered = new Headers()
    for (let at = 0; at < pairs.length; at += 2) answered.append(pairs[at] ?? '', pairs[at + 1] ?? '')
    for (const set of answered.getSetCookie()) keep(cookies, set)
    const bytes = reply.body instanceof Uint8Array ? reply.body : new Uint8Array()
    return { status: reply.status, headers: answered, bytes, text: new TextDecoder().decode(bytes) }
  }
  return {
    get: (address, headers = {}) => send('GET', address, headers),
    post: (address, form, headers = {}) =>
      send('POST', address, headers, new TextEncoder().encode(`${new URLSearchParams(form)}`)),
    cookies,
  }
}

function keep(cookies: Map<string, string>, set: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
  if (value === '') cookies.delete(name)
  else cookies.set(name, value)
}

/** Adds an issuer to a workspace, by default for everyone with a verified address at example.com. */
export async function allowIssuer(
  { store }: Pick<TemporaryStore, 'store'>,
  issuer: string,
  { rules, ...changes }: Partial<Omit<NewSignin, 'rules'>> & { rules?: Partial<NewSignin['rules']> } = {},
): Promise<string> {
  const added = await addSignin(
    { database: store.database, keySecret: undefined, record: () => undefined },
    {
      workspace: 'acme',
      issuer,
      way: { clientId: 'guides' },
      clientSecret: SECRET,
      rules: { domains: ['example.com'], emails: [], groups: [], groupsClaim: 'groups', ...rules },
      drafts: false,
      ...changes,
    },
    new Date(),
  )
  return unwrap(added.ok ? added : { ok: false, problem: { code: 'project_unknown', message: added.problem } }).id
}

/** Opens a service that people sign in to, and collects its log lines. */
export async function peopleService(
  { store }: Pick<TemporaryStore, 'store'>,
  settings: TestSettings = {},
): Promise<TestService & { logged: object[] }> {
  const logged: object[] = []
  const log = (fields: object, message: string) => void logged.push({ ...fields, message })
  const service = await testService({ store }, { publicUrl: PEOPLE_URL, ...settings }, Date.now(), {
    ...silent,
    info: log,
    warn: log,
    error: log,
  })
  return { ...service, logged }
}

/** Signs a person in to a workspace without an issuer, and returns the pair of the cookie. */
export async function sessionCookie(
  { store }: Pick<TemporaryStore, 'store'>,
  workspace: string,
  { projects, name, isEnded = false }: { projects?: readonly string[]; name?: string; isEnded?: boolean } = {},
): Promise<string> {
  const { database, identity } = store
  const parts = { database, secret: identity.shareSecret, publicUrl: 'http://brand.test', clock: Date.now }
  const sessions = openSessions({ ...parts, caches: openCaches() })
  const records = await listProjects(database, workspace)
  const covered = projects && records.filter(({ project }) => projects.includes(project))
  const request = { method: 'GET', path: '/', query: '', headers: {}, authorizations: 0, address: '127.0.0.1' }
  const set = await sessions.start(request, {
    workspace,
    signin: 'none',
    subject: 'hash',
    ...(name !== undefined && { name }),
    ...(covered && { projects: covered.map(({ project, instance }) => ({ project, instance })) }),
    drafts: false,
    expiresAt: new Date(Date.now() + 3_600_000),
  })
  const [cookie = ''] = set.split(';')
  if (isEnded) await sessions.end({ ...request, headers: { cookie } }, workspace)
  return cookie
}
