import inject, { type DispatchFunc } from 'light-my-request'
import type { HeaderList, Reply, Request } from '#platform/exchange/message.ts'

export type NodeHandler<Value> = (...exchange: Parameters<DispatchFunc>) => Promise<Value>

/** Passes a request to a handler for node:http, which sees the host and the scheme of the public URL. */
export async function passToNode(publicUrl: string, request: Request, handle: DispatchFunc): Promise<Reply> {
  const { host, protocol } = new URL(publicUrl)
  const { method, path, query, headers, body } = request
  const reply = await inject(handle, {
    method,
    url: query === '' ? path : `${path}?${query}`,
    remoteAddress: request.address,
    headers: { ...passedOn(headers), host, 'x-forwarded-proto': protocol.slice(0, -1) },
    ...(body && { payload: Buffer.from(body) }),
  })
  return {
    status: reply.statusCode,
    headers: headersOf(reply.headers),
    hasOwnHeaders: true,
    body: new Uint8Array(reply.rawPayload),
  }
}

/** Calls functions of the library that need a request and a reply of node:http, for its cookies; their reply is not used. */
export async function withNode<Value>(publicUrl: string, request: Request, handle: NodeHandler<Value>): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  await passToNode(publicUrl, { ...request, method: 'GET' }, (incoming, outgoing) => {
    handle(incoming, outgoing)
      .then(resolve, reject)
      .finally(() => outgoing.end())
  })
  return promise
}

/** The header fields that the library sees. */
const PASSED_ON = ['accept', 'authorization', 'content-type', 'cookie'] as const

function passedOn(headers: Request['headers']): Record<string, string> {
  return Object.fromEntries(PASSED_ON.flatMap(name => (headers[name] === undefined ? [] : [[name, headers[name]]])))
}

/** The header fields of a reply, except those of the connection. */
function headersOf(headers: Readonly<Record<string, string | string[] | number | undefined>>): HeaderList {
  return Object.entries(headers).flatMap(([name, value]) =>
    OF_CONNECTION.has(name) || value === undefined ? [] : [value].flat().flatMap(each => [name, String(each)]),
  )
}

const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
])
