import { type Brands, PUBLIC_URL, TOKENS, WORKSPACES } from './brands.ts'
import { replyTo } from './reply.ts'
import { CLIENTS, type Request } from './wire.ts'

/** Something that is asked for. */
export type Subject = { what: string; differs: string; requests: readonly Request[] }

export const [API, PAGE, UNCHANGED, VIEW] = [
  'the API',
  'one page of the API',
  'the same page, 304',
  'a public page',
] as const

const REQUESTS = 2100
/** Of ten requests, how many name what the client already has. */
const CONDITIONAL = 3
const GUIDE = '/brand-1/guide-1'
const PROJECT = '/beta/workspace/brand-1/project/guide-1'

/** What a server is asked for, with the entity tags that it gives itself. `file` is the path of a file of 20 KB. */
export async function subjects(url: string, brands: Brands, file: string): Promise<Subject[]> {
  const authorization = authorizationFor(brands)
  const pages = clientsWith(authorization).map(headers => ({ path: `${PROJECT}/page/page-1`, headers }))
  const mix = `seven operations, ${WORKSPACES * brands.size.projects} projects, ${CONDITIONAL} in 10 requests conditional`
  return [
    { what: API, differs: mix, requests: await apiRequests(url, brands) },
    { what: PAGE, differs: 'token, limit, negotiation; never conditional', requests: pages },
    {
      what: UNCHANGED,
      differs: 'all clients have it already',
      requests: await Promise.all(pages.map(request => conditional(url, request))),
    },
    await view(url, VIEW, GUIDE),
    await view(url, 'a page of colours', `${GUIDE}/-/colors`),
    await view(url, 'a file of 20 KB', file),
  ]
}

/** What each kind of client sends for an address behind a token. */
export function clientsWith(authorization: string): Readonly<Record<string, string>>[] {
  return CLIENTS.map(client => ({ ...client, Authorization: authorization }))
}

/**
 * The requests of real clients: the seven operations in turn over all projects and tokens, of three kinds of clients,
 * three in ten with the entity tag of what is there.
 */
export async function apiRequests(url: string, { tokens, size: { projects, pages } }: Brands): Promise<Request[]> {
  const requests: Request[] = []
  for (let at = 0; at < REQUESTS; at++) {
    const workspace = `brand-${(at % WORKSPACES) + 1}`
    const project = `/beta/workspace/${workspace}/project/guide-${(Math.floor(at / 7) % projects) + 1}`
    const path =
      [
        `/beta/workspace/${workspace}`,
        `/beta/workspace/${workspace}/projects`,
        project,
        `${project}/pages`,
        `${project}/page/page-${(Math.floor(at / 3) % (pages - 1)) + 1}`,
        `${project}/styles`,
        `${project}/files`,
      ][at % 7] ?? ''
    const token = tokens.get(workspace)?.[Math.floor(at / WORKSPACES) % TOKENS]
    const client = CLIENTS[Math.floor(at / 5) % CLIENTS.length]
    const request = { path, headers: { ...client, Authorization: `Bearer ${token}` } }
    requests.push(at % 10 < CONDITIONAL ? await conditional(url, request) : request)
  }
  return requests
}

/** The request of a client that has what stands at the address. Throws if nothing does. */
async function conditional(url: string, { path, headers }: Request): Promise<Request> {
  const { status, fields } = await replyTo(url + path, headers)
  if (status !== 200) throw new Error(`${path} was answered with ${status}`)
  return { path, headers: { ...headers, 'If-None-Match': fields.get('etag') ?? '' } }
}

/** A browser asks the website. */
async function view(url: string, what: string, path: string): Promise<Subject> {
  const headers = { Host: new URL(PUBLIC_URL).host, 'accept-encoding': 'br', accept: 'text/html,*/*' }
  const { status, fields, body } = await replyTo(url + path, headers)
  if (status !== 200) throw new Error(`${path} was answered with ${status}`)
  const differs = `${body.length} bytes, ${fields.get('content-encoding') ?? 'not compressed'}; no token`
  return { what, differs, requests: [{ path, headers }] }
}

/** Where a service has the file of 20 KB. */
export async function filePath(url: string, brands: Brands): Promise<string> {
  const { body } = await replyTo(`${url}${PROJECT}/files`, { authorization: authorizationFor(brands) })
  const { files }: { files: { url: string }[] } = JSON.parse(String(body))
  return new URL(files.find(file => file.url.endsWith('/large.bin'))?.url ?? '').pathname
}

function authorizationFor({ tokens }: Brands): string {
  return `Bearer ${tokens.get('brand-1')?.[0]}`
}
