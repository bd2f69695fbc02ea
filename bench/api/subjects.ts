import { type Brands, PUBLIC_URL, TOKENS, WORKSPACES } from './brands.ts'
import { type Reply, replyTo } from './reply.ts'
import { CLIENTS, wire } from './wire.ts'

/** Something that is asked for; `reply` is there if all its requests are answered with the same content. */
export type Subject = { what: string; differs: string; requests: readonly string[]; reply?: Reply }

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

/** What a service is asked for. The first two stand for the whole. */
export async function subjects(url: string, brands: Brands): Promise<Subject[]> {
  const authorization = `Bearer ${brands.tokens.get('brand-1')?.[0]}`
  const page = `${url}${PROJECT}/page/page-1`
  const mix = `seven operations, ${WORKSPACES * brands.size.projects} projects, ${CONDITIONAL} in 10 requests conditional`
  const [clients, knowing] = [
    clientsWith(authorization),
    await Promise.all(clientsWith(authorization).map(client => knows(page, client))),
  ]
  return [
    { what: API, differs: mix, requests: await apiRequests(url, brands) },
    await view(url, VIEW, GUIDE),
    {
      what: PAGE,
      differs: 'token, limit, negotiation; never conditional',
      requests: clients.map(client => wire(page, client)),
      reply: await replyTo(page, { authorization }),
    },
    { what: UNCHANGED, differs: 'all clients have it already', requests: knowing.map(client => wire(page, client)) },
    await view(url, 'a page of colours', `${GUIDE}/-/colors`),
    await view(url, 'a file of 20 KB', await filePath(url, authorization)),
  ]
}

/** What each kind of client sends for an address behind a token. */
export function clientsWith(authorization: string): Readonly<Record<string, string>>[] {
  return CLIENTS.map(client => ({ ...client, Authorization: authorization }))
}

/**
 * The requests of real clients as they stand on the wire: the seven operations in turn over all projects and tokens, of
 * three kinds of clients, three in ten with the entity tag of what is there.
 */
export async function apiRequests(url: string, { tokens, size: { projects, pages } }: Brands): Promise<string[]> {
  const requests: string[] = []
  for (let at = 0; at < REQUESTS; at++) {
    const workspace = `brand-${(at % WORKSPACES) + 1}`
    const project = `/beta/workspace/${workspace}/project/guide-${(Math.floor(at / 7) % projects) + 1}`
    const path = [
      `/beta/workspace/${workspace}`,
      `/beta/workspace/${workspace}/projects`,
      project,
      `${project}/pages`,
      `${project}/page/page-${(Math.floor(at / 3) % (pages - 1)) + 1}`,
      `${project}/styles`,
      `${project}/files`,
    ][at % 7]
    const token = tokens.get(workspace)?.[Math.floor(at / WORKSPACES) % TOKENS]
    const client = CLIENTS[Math.floor(at / 5) % CLIENTS.length]
    const headers = { ...client, Authorization: `Bearer ${token}` }
    const knowing = await knows(url + path, headers)
    requests.push(wire(url + path, at % 10 < CONDITIONAL ? knowing : headers))
  }
  return requests
}

/** What a client sends that has what stands at an address. Throws if nothing does. */
async function knows(address: string, headers: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const { status, fields } = await replyTo(address, headers)
  if (status !== 200) throw new Error(`${address} was answered with ${status}`)
  return { ...headers, 'If-None-Match': fields.get('etag') ?? '' }
}

/** A browser asks the website. */
async function view(url: string, what: string, path: string): Promise<Subject> {
  const headers = { Host: new URL(PUBLIC_URL).host, 'accept-encoding': 'br', accept: 'text/html,*/*' }
  const reply = await replyTo(url + path, headers)
  if (reply.status !== 200) throw new Error(`${path} was answered with ${reply.status}`)
  const differs = `${reply.body.length} bytes, ${reply.fields.get('content-encoding') ?? 'not compressed'}; no token`
  return { what, differs, requests: [wire(url + path, headers)], reply }
}

async function filePath(url: string, authorization: string): Promise<string> {
  const { body } = await replyTo(`${url}${PROJECT}/files`, { authorization })
  const { files }: { files: { url: string }[] } = JSON.parse(String(body))
  return new URL(files.find(file => file.url.endsWith('/large.bin'))?.url ?? '').pathname
}
