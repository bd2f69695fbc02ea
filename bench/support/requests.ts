import { writeFile } from 'node:fs/promises'
import { type Brands, numberedNames, PAGES, PUBLIC_URL, TOKENS, WORKSPACES } from './brands.ts'
import { replyTo } from './reply.ts'

/** A GET request. A `host` field replaces the host of the server's address. */
export type Request = { path: string; headers: Readonly<Record<string, string>> }

/** Header fields that three common clients send in addition to `Host` and a token. */
const CLIENTS = [
  { 'User-Agent': 'curl/8.14.1', Accept: '*/*' },
  {
    accept: 'application/json',
    'accept-language': '*',
    'sec-fetch-mode': 'cors',
    'user-agent': 'node',
    'accept-encoding': 'gzip, deflate',
  },
  {
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'Accept-Language': 'en-GB,en;q=0.7,de;q=0.3',
    'Accept-Encoding': 'gzip, deflate, br, zstd',
    Origin: 'https://brand.test',
    Referer: 'https://brand.test/somewhere',
    'Sec-Fetch-Dest': 'empty',
    'Sec-Fetch-Mode': 'cors',
    'Sec-Fetch-Site': 'same-origin',
  },
] as const

const REQUESTS = 2100
const LARGE_PAGES = 100
/** Out of ten requests, the number that send `If-None-Match`. */
const CONDITIONAL = 3

/** A mix of API requests: seven operations over all projects and tokens, from three kinds of clients, three in ten conditional. */
export async function apiRequests(url: string, { tokens, projects }: Brands): Promise<Request[]> {
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
        `${project}/page/page-${(Math.floor(at / 3) % (PAGES - 1)) + 1}`,
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

/** The request of a client that already has the current reply. */
async function conditional(url: string, { path, headers }: Request): Promise<Request> {
  const { status, fields } = await replyTo(url + path, headers)
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  return { path, headers: { ...headers, 'If-None-Match': fields.get('etag') ?? '' } }
}

/** A browser's request for a public page. */
export const PAGE_VIEW: Request = view('/brand-1/guide-1')

/** Page views and searches in the first guides of each workspace. */
export function websiteRequests(guidesPerWorkspace: number): Request[] {
  const guides = numberedNames('guide', guidesPerWorkspace).flatMap(guide =>
    numberedNames('brand', WORKSPACES).map(brand => `/${brand}/${guide}`),
  )
  return guides.flatMap(guide => [view(guide), view(`${guide}/-/colors`), view(`${guide}/-/search?q=clear+space`)])
}

/** Page views, searches and API requests of the large guide. */
export function largeRequests({ tokens }: Brands): Request[] {
  const guide = '/large/guide'
  const project = '/beta/workspace/large/project/guide'
  const pages = Array.from({ length: LARGE_PAGES }, (_, at) => view(`${guide}/s${at % 20}/p${at}`))
  const lists = ['/-/colors', '/-/type', '/-/files', '/-/search?q=clear+space'].map(path => view(guide + path))
  const headers = { Authorization: `Bearer ${tokens.get('large')?.[0]}` }
  const api = ['', '/pages', '/styles', '/files'].map(path => ({ path: project + path, headers }))
  return [view(guide), ...pages, ...lists, ...api]
}

function view(path: string): Request {
  return { path, headers: { host: new URL(PUBLIC_URL).host, 'accept-encoding': 'br', accept: 'text/html,*/*' } }
}

/** Writes HTTP/1.1 requests to a file for `wrk.lua`. Returns the file. */
export async function writeRequests(file: string, server: string, requests: readonly Request[]): Promise<string> {
  await writeFile(file, requests.map(request => wireText(server, request)).join('\0'))
  return file
}

function wireText(server: string, { path, headers }: Request): string {
  const fields = Object.entries({ host: new URL(server).host, ...headers }).map(field => `${field.join(': ')}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`
}
