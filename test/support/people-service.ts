import assert from 'node:assert/strict'
import { withoutUndefined } from '#platform/base/object.ts'
import { unwrap } from '#program/cli/failure.ts'
import { openSessions } from '#serving/access/session/session-verifier.ts'
import { addSignin, type NewSignin } from '#serving/access/session/signins.ts'
import { listProjects } from '#store/catalogue/catalogue.ts'
import { type Answer, type Asking, silent, type TestService, type TestSettings, testService } from './service.ts'
import { accessTo, type TemporaryStore, verifierContext } from './temporary-store.ts'
import { FORM } from './visitor.ts'

/** The public URL of services that people sign in to; nothing listens there. */
export const PEOPLE_URL = 'http://127.0.0.1:9'
export const SECRET = 'the secret of the client'

/** Adds an issuer to a workspace, by default for everyone with a verified address at example.com. */
export async function allowIssuer(
  { store }: Pick<TemporaryStore, 'store'>,
  issuer: string,
  { rules, ...changes }: Partial<Omit<NewSignin, 'rules'>> & { rules?: Partial<NewSignin['rules']> } = {},
): Promise<string> {
  const added = await addSignin(
    accessTo(store),
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

/** A request with a form, as a page of `peopleService` sends it. */
export function formOf(fields: Readonly<Record<string, string>>, headers: Asking['headers'] = {}): Asking {
  const body = `${new URLSearchParams(fields)}`
  return { method: 'POST', headers: { 'content-type': FORM, origin: PEOPLE_URL, ...headers }, body }
}

/** The hidden fields of the form with a button, and the button. */
export function hiddenFields(page: string, action: string, at = 0): Record<string, string> {
  const forms = Array.from(page.matchAll(/<form method="post".*?<\/form>/gs), ([form]) => form)
  const form = forms.filter(each => each.includes(`name="do" value="${action}"`))[at] ?? ''
  const fields = form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
  return { ...Object.fromEntries(Array.from(fields, ([, name = '', value = '']) => [name, value])), do: action }
}

/** A person to sign in, by default one who sees all projects of the workspace, and manages and edits none. */
type Visitor = {
  projects?: readonly string[]
  name?: string
  /** Verified by the issuer. */
  email?: string
  unverifiedEmail?: string
  isEnded?: boolean
  drafts?: boolean
  manages?: readonly string[] | 'all'
  edits?: readonly string[] | 'all'
  subject?: string
  /** The id of the issuer's settings. */
  signin?: string
  /** The host of a guide or a workspace at which the person signs in; by default the public URL. */
  host?: string
}

/** Signs a person in to a workspace, by default without an issuer, and returns the pair of the cookie. */
export async function sessionCookie(
  { store }: Pick<TemporaryStore, 'store'>,
  workspace: string,
  {
    projects,
    name,
    email,
    unverifiedEmail,
    isEnded = false,
    drafts = false,
    manages,
    edits,
    subject = 'hash',
    signin = 'none',
    host,
  }: Visitor = {},
): Promise<string> {
  const { database } = store
  const sessions = openSessions(verifierContext(store))
  const records = await listProjects(database, workspace)
  const projectsOf = (ids: readonly string[]) =>
    records.flatMap(({ project, instance }) => (ids.includes(project) ? [{ project, instance }] : []))
  const coverageOf = (ids: readonly string[] | 'all') => (ids === 'all' ? {} : { projects: projectsOf(ids) })
  const request = { method: 'GET', path: '/', query: '', headers: {}, authorizations: 0, address: '127.0.0.1' }
  const place = host === undefined ? {} : { place: { host, url: `http://${host}`, root: `/${workspace}`, workspace } }
  const set = await sessions.start(
    { ...request, ...place },
    {
      workspace,
      signin,
      subject,
      ...withoutUndefined({ name, email, unverifiedEmail }),
      ...(projects && coverageOf(projects)),
      ...(manages && { manages: coverageOf(manages) }),
      ...(edits && { edits: coverageOf(edits) }),
      drafts,
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  )
  const [cookie = ''] = set.split(';')
  if (isEnded) await sessions.end({ ...request, ...place, headers: { cookie } }, workspace)
  return cookie
}

/** Opens the page to which a form redirects, with the cookies that its reply sets. */
export async function shownAfter({ ask }: Pick<TestService, 'ask'>, cookie: string, form: Answer): Promise<string> {
  assert.equal(form.status, 303)
  const set = form.headers.getSetCookie().map(each => each.split(';')[0])
  return (await ask(form.headers.get('location') ?? '', { headers: { cookie: [cookie, ...set].join('; ') } })).text
}

/** The headers of a reply, without the random value that binds the text of an unsent form to its browser. */
export function withoutSecret(headers: Headers): [string, string][] {
  return Array.from(headers, ([name, value]) => [name, value.replace(/(?<=housestyle_unsent=)[\w-]+/, '')])
}
