import { fork } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { serial } from '#platform/base/promise.ts'
import { freePort } from './free-port.ts'

/** A person who can sign in, with `sub` as user name. */
export type Person = {
  sub: string
  password: string
  email?: string
  emailVerified?: boolean
  name?: string
  groups?: readonly string[]
}

/** The only client of the issuer. */
export type RelyingParty = {
  id: string
  /** Absent for a public client. */
  secret?: string
  authMethod?: 'client_secret_basic' | 'client_secret_post'
  redirects?: readonly string[]
  logoutRedirects?: readonly string[]
}

/** Everything that a test can set. */
export type PeopleIssuerState = {
  people: readonly Person[]
  client: RelyingParty
  /** The number of the only signing key. */
  keyNumber: number
  /** Whether the issuer can be reached. */
  isListening: boolean
}

export type PeopleIssuer = {
  /** Its address, on this machine, and the `iss` of its tokens. */
  url: string
  /** Changes any of its settings. */
  change: (changes: Partial<PeopleIssuerState>) => Promise<void>
  setRedirects: (redirects: readonly string[], logoutRedirects?: readonly string[]) => Promise<void>
  setGroups: (sub: string, groups: readonly string[]) => Promise<void>
  /** Replaces its signing key with one that has another id. */
  rotateKeys: () => Promise<void>
  /** Makes it unreachable; people remain signed in. */
  stop: () => Promise<void>
  /** Makes it reachable again, on the same port. */
  start: () => Promise<void>
}

/** The inputs of an issuer; the rest has defaults. */
export type PeopleIssuerOptions = Pick<PeopleIssuerState, 'people' | 'client'> & Partial<PeopleIssuerState>

/**
 * Starts a certified OpenID provider with people who have passwords, in another process, until the tests are done. It
 * supports the code flow with PKCE, refresh tokens for the scope `offline_access`, and sign-out by the client.
 */
export async function startPeopleIssuer(options: PeopleIssuerOptions): Promise<PeopleIssuer> {
  const port = await freePort()
  const apply = startProcess(port)
  let state: PeopleIssuerState = { keyNumber: 1, isListening: true, ...options }
  const change: PeopleIssuer['change'] = async changes => {
    state = { ...state, ...changes }
    await apply(state)
  }
  await change({})
  return {
    url: `http://127.0.0.1:${port}`,
    change,
    setRedirects: (redirects, logoutRedirects = []) =>
      change({ client: { ...state.client, redirects, logoutRedirects } }),
    setGroups: (sub, groups) =>
      change({ people: state.people.map(each => (each.sub === sub ? { ...each, groups } : each)) }),
    rotateKeys: () => change({ keyNumber: state.keyNumber + 1 }),
    stop: () => change({ isListening: false }),
    start: () => change({ isListening: true }),
  }
}

/** Starts the process; returns a function that gives it a state and waits until it has that. */
function startProcess(port: number): (state: PeopleIssuerState) => Promise<void> {
  const child = fork(`${import.meta.dirname}/people-issuer-process.ts`, [String(port)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const complaint = child.stderr ? text(child.stderr) : Promise.resolve('')
  const exit = once(child, 'exit').then(async () => {
    throw new Error(`the issuer ended: ${await complaint}`)
  })
  exit.catch(() => undefined)
  after(() => {
    if (child.connected) child.disconnect()
  })
  const inTurn = serial()
  return state =>
    inTurn(async () => {
      child.send(JSON.stringify(state))
      const [reply] = await Promise.race([once(child, 'message'), exit])
      const { error } = JSON.parse(String(reply))
      if (error !== undefined) throw new Error(`the issuer failed: ${error}`)
    })
}

/** The cookies of a person's browser by name. */
export type CookieJar = Map<string, string>

/**
 * Signs a person in without a browser: follows the redirects of the issuer and submits its forms. Returns the address at
 * the client to which the issuer redirects. With the jar of an earlier call, the person is still signed in.
 */
export function signInAt(
  { url }: Pick<PeopleIssuer, 'url'>,
  authorizationUrl: string,
  { sub, password }: Pick<Person, 'sub' | 'password'>,
  jar: CookieJar = new Map(),
): Promise<string> {
  return leaveIssuer(url, authorizationUrl, { username: sub, password }, jar)
}

/** Signs a person out at the issuer. Returns the address at the client to which the issuer redirects. */
export function signOutAt({ url }: Pick<PeopleIssuer, 'url'>, endSessionUrl: string, jar: CookieJar): Promise<string> {
  return leaveIssuer(url, endSessionUrl, {}, jar)
}

/** Fills the form of the issuer in a browser, and submits it. */
export async function signInOnPage(page: Page, { sub, password }: Pick<Person, 'sub' | 'password'>): Promise<void> {
  await page.getByLabel('User name').fill(sub)
  await page.getByLabel('Password').fill(password)
  const { origin } = new URL(page.url())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(address => address.origin !== origin)
}

const MAX_STEPS = 12

async function leaveIssuer(
  issuer: string,
  address: string,
  fields: Readonly<Record<string, string>>,
  jar: CookieJar,
): Promise<string> {
  let [at, form]: [string, URLSearchParams | undefined] = [address, undefined]
  for (let step = 0; step < MAX_STEPS; step++) {
    if (new URL(at).origin !== issuer) return at
    const reply: Response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    keepCookies(jar, reply.headers.getSetCookie())
    const location = reply.headers.get('location')
    const next: Step = location === null ? formOf(await reply.text(), fields) : { action: location }
    at = new URL(next.action, at).href
    form = next.form
  }
  throw new Error(`the issuer did not redirect to its client within ${MAX_STEPS} steps; the last was ${at}`)
}

type Step = { action: string; form?: URLSearchParams }

function formOf(page: string, fields: Readonly<Record<string, string>>): Step {
  const [, attributes] = /<form\b([^>]*)>/.exec(page) ?? []
  const problem = /<p role="alert">([^<]*)/.exec(page)?.[1]
  if (attributes === undefined || problem !== undefined)
    throw new Error(`the issuer does not continue: ${problem ?? page}`)
  const form = new URLSearchParams(fields)
  for (const [input] of page.matchAll(/<input type="hidden"[^>]*>/g))
    form.set(attributeOf(input, 'name'), attributeOf(input, 'value'))
  return { action: attributeOf(attributes, 'action'), form }
}

function attributeOf(text: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? ''
}

/** Keeps cookies by name only: the issuer uses each name for one path at a time. */
function keepCookies(jar: CookieJar, lines: readonly string[]): void {
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
}
