import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FolderContents, writeFolder } from '../../test/support/brand-folder.ts'
import { command } from '../../test/support/command.ts'

const WORKSPACES = 10
const PROJECTS = 5
const TOKENS = 2
const PAGES = 8
const REQUESTS = 2100
/** Of ten requests, how many name what the client already has. */
const CONDITIONAL = 3

/** Ten workspaces with five published projects each, and two tokens for each. */
export type Brands = { store: string[]; tokens: ReadonlyMap<string, readonly string[]> }

/** Makes a store with the brands, by the commands that users have. */
export async function makeBrands(bin: string, folder: string): Promise<Brands> {
  const store = ['--data', join(folder, 'store')]
  const tokens = new Map<string, string[]>()
  for (const workspace of named('brand', WORKSPACES)) {
    await writeFolder(join(folder, workspace), brand(workspace))
    await command(bin, 'import', join(folder, workspace), ...store)
  }
  await command(bin, 'publish', '--all', ...store)
  for (const workspace of named('brand', WORKSPACES)) {
    const made: string[] = []
    for (let at = 0; at < TOKENS; at++) made.push((await issue(bin, workspace, store)).trim())
    tokens.set(workspace, made)
  }
  return { store, tokens }
}

function issue(bin: string, workspace: string, store: readonly string[]): Promise<string> {
  return command(bin, 'token', 'issue', workspace, ...store, '--public-url', PUBLIC_URL)
}

/** Tokens are made for it, so it has to be known before the service listens. */
export const PUBLIC_URL = 'http://brand.test'

function named(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name}-${at + 1}`)
}

function brand(workspace: string): FolderContents {
  const contents: Record<string, string> = { 'workspace.yaml': `id: ${workspace}\nname: ${workspace}\n` }
  for (const project of named('guide', PROJECTS)) {
    contents[`${project}/project.yaml`] = `name: ${project} of ${workspace}\nvisibility: public\n`
    for (const page of ['index', ...named('page', PAGES - 1)])
      contents[`${project}/pages/${page}.md`] = pageText(workspace, project, page)
    contents[`${project}/styles/colors.yaml`] = named('Colour', 20).map(colour).join('')
    contents[`${project}/styles/types.yaml`] = named('Type', 6).map(typeStyle).join('')
    for (const file of named('notes', 10))
      contents[`${project}/files/${file}.txt`] = `${workspace} ${project} ${file}\n`
  }
  return contents
}

function pageText(workspace: string, project: string, page: string): string {
  const sentence = 'Keep clear space of half its height around the mark, and set nothing else into it. '
  const link = `See [the notes](../files/notes-1.txt).\n`
  return `# ${page} of ${project}\n\n${workspace} says this.\n\n${sentence.repeat(20)}\n\n- ${link.repeat(1)}`
}

function colour(name: string, at: number): string {
  const hex = (at * 700_001 + 0x102030).toString(16).slice(-6).padStart(6, '0')
  return `- name: ${name}\n  hex: "#${hex}"\n  cmyk: [${at}, 39, 0, 28]\n  pms: ${285 + at} C\n`
}

function typeStyle(name: string, at: number): string {
  return `- name: ${name}\n  family: Acme Sans\n  size: ${16 + at}\n  leading: 1.25\n  tracking: -0.01\n`
}

/** What clients send beside the line of a request, its `Host` and its token. */
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

/**
 * The requests of real clients as they stand on the wire: the seven operations in turn over all projects and tokens, of
 * three kinds of clients, three in ten with the entity tag of what is there.
 */
export async function apiRequests(url: string, { tokens }: Brands): Promise<string[]> {
  const host = new URL(url).host
  const requests: string[] = []
  for (let at = 0; at < REQUESTS; at++) {
    const workspace = `brand-${(at % WORKSPACES) + 1}`
    const project = `/beta/workspace/${workspace}/project/guide-${(Math.floor(at / 7) % PROJECTS) + 1}`
    const path = [
      `/beta/workspace/${workspace}`,
      `/beta/workspace/${workspace}/projects`,
      project,
      `${project}/pages`,
      `${project}/page/page-${(Math.floor(at / 3) % (PAGES - 1)) + 1}`,
      `${project}/styles`,
      `${project}/files`,
    ][at % 7]
    const token = tokens.get(workspace)?.[Math.floor(at / WORKSPACES) % TOKENS]
    const client = CLIENTS[Math.floor(at / 5) % CLIENTS.length]
    const headers: Record<string, string> = { ...client, Authorization: `Bearer ${token}` }
    const reply = await fetch(url + path, { headers: { 'accept-encoding': 'identity', ...headers } })
    await reply.arrayBuffer()
    if (reply.status !== 200) throw new Error(`${path} was answered with ${reply.status}`)
    if (at % 10 < CONDITIONAL) headers['If-None-Match'] = reply.headers.get('etag') ?? ''
    requests.push(wire(`${path}`, host, headers))
  }
  return requests
}

/** A GET request of HTTP/1.1 as it is sent. */
export function wire(path: string, host: string, headers: Readonly<Record<string, string>> = {}): string {
  const fields = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`
}

/** Writes requests where the senders read them. */
export async function writeRequests(file: string, requests: readonly string[]): Promise<string> {
  await writeFile(file, requests.join('\0'))
  return file
}
