import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import type { Service } from '#program/http/service/service.ts'
import { URL_OF_SERVICE } from './service.ts'
import { type Visit, visitOf } from './visitor.ts'

/** The revisions of the protocol that the tests use. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const
export type Revision = (typeof REVISIONS)[number]

/** Connects the official client to a service without a socket. */
export async function connectClient(
  service: Service,
  path: string,
  { token, revision }: { token?: string | undefined; revision: Revision },
): Promise<Client> {
  const isModern = revision === '2026-07-28'
  const client = new Client(
    { name: 'test', version: '1' },
    isModern ? { versionNegotiation: { mode: { pin: revision } } } : {},
  )
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(URL_OF_SERVICE + path), {
      requestInit: { headers },
      fetch: (address, init) => fetchFrom(service, new Request(address, init)),
    }),
  )
  return client
}

async function fetchFrom(service: Service, request: Request): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer())
  const { status, headers, text } = await post(service, new URL(request.url).pathname, {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    body,
  })
  return new Response(status === 202 || status === 204 ? null : text, { status, headers })
}

/** Sends a message in a revision of the protocol: a method and its parameters. */
export function send(
  service: Service,
  path: string,
  { method, params = {}, token, revision }: Message & { token?: string | undefined; revision: Revision },
): Promise<Visit> {
  const isModern = revision === '2026-07-28'
  const name = params.name ?? params.uri
  const meta = { 'io.modelcontextprotocol/protocolVersion': revision, 'io.modelcontextprotocol/clientCapabilities': {} }
  const message = { jsonrpc: '2.0', id: 1, method, params: isModern ? { ...params, _meta: meta } : params }
  const headers = {
    'content-type': 'application/json',
    'mcp-protocol-version': revision,
    ...(isModern && { 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': name }) }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  return post(service, path, { headers, body: new TextEncoder().encode(JSON.stringify(message)) })
}

export type Message = { method: string; params?: Readonly<Record<string, unknown>> }

/** Sends a body as it is. */
export async function post(
  service: Service,
  path: string,
  { method = 'POST', headers, body }: { method?: string; headers: RequestHeaders; body?: Uint8Array },
): Promise<Visit> {
  const authorizations = headers.authorization === undefined ? 0 : 1
  const sent = { method, path, query: '', headers, authorizations, address: '127.0.0.1', ...(body && { body }) }
  return visitOf(await service(sent))
}
