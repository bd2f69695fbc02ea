import { SCOPES, type Scope } from '#brand/contract/operations.ts'
import { unwrap } from '#program/cli/failure.ts'
import type { Service } from '#program/http/service/service.ts'
import { createClient } from '#serving/access/client/clients.ts'
import { createShare } from '#serving/access/share/shares.ts'
import type { Store } from '#store/store.ts'
import { allow, type Program, postForm, tokenRequest } from './authorization.ts'
import { URL_OF_SERVICE } from './service.ts'
import type { Contents } from './temporary.ts'
import { accessTo, publishedStore, SMALL_BRAND } from './temporary-store.ts'
import { type Visitor, visitor } from './visitor.ts'

/** The small brand, with a private guide. */
export const PRIVATE_BRAND: Contents = { ...SMALL_BRAND, 'guidelines/project.yaml': 'name: Brand guidelines\n' }

export const REDIRECT = 'http://127.0.0.1/callback'

/** A store with the private guide, and a program that asks to read it. */
export async function privateGuide(others: Contents = {}, registration: Partial<Registration> = {}) {
  const temporary = await publishedStore('acme/guidelines', { ...PRIVATE_BRAND, ...others })
  const clientId = await registerProgram(temporary.store, registration)
  const program = { clientId, redirectUri: REDIRECT, resource: `${URL_OF_SERVICE}/acme/guidelines/-/mcp` }
  return { temporary, store: temporary.store, clientId, program }
}

/** Registers a program that people allow to read for them. */
export async function registerProgram(
  store: Store,
  { workspace = 'acme', redirectUris = [REDIRECT], scopes = SCOPES, name = 'Notebook' }: Partial<Registration> = {},
): Promise<string> {
  const settings = { name, scopes, redirectUris }
  return (await createClient(accessTo(store), workspace, settings, new Date())).client_id
}

type Registration = { workspace: string; redirectUris: readonly string[]; scopes: readonly Scope[]; name: string }

/** Makes a share link, and returns its id and its path. */
export async function shareLink(
  store: Store,
  { workspace = 'acme', project = 'guidelines', lifetimeSeconds = 7 * 86_400 } = {},
): Promise<{ id: string; path: string; secret: string }> {
  const share = unwrap(await createShare(accessTo(store), { workspace, project, lifetimeSeconds }, new Date()))
  const secret = share.linkSecret
  return { id: share.id, path: `/${workspace}/${project}/-/share/${secret}`, secret }
}

/** A browser that has opened a share link. */
export async function guest(service: Service, link: { path: string }): Promise<Visitor> {
  const browser = visitor(service)
  await browser.get(link.path)
  return browser
}

/** Connects a program in this browser, and returns the reply with its tokens. */
export async function connect(service: Service, browser: Visitor, program: Program) {
  return (await postForm(service, '/oauth/token', tokenRequest(program, await allow(browser, program)))).body
}

/** Connects a program of the holder of a new share link, and returns the reply with its tokens. */
export async function connectGuest(service: Service, store: Store, program: Program) {
  return connect(service, await guest(service, await shareLink(store)), program)
}

/** The form that uses a refresh token. */
export function refreshRequest({ clientId }: Program, token: string) {
  return { grant_type: 'refresh_token', client_id: clientId, refresh_token: token }
}
