import { buffer } from 'node:stream/consumers'
import { headersOf } from '#platform/exchange/message.ts'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import { splitTarget } from '#platform/exchange/target.ts'
import type { Service } from '#program/http/service/service.ts'
import { localServer } from './local-server.ts'

/** A plain server for a service that is made once its address is known. */
export async function socketService(make: (url: string) => Promise<Service>): Promise<string> {
  let service: Service | undefined
  const { url } = await localServer(async (request, response) => {
    const { method = '', url: target = '', socket } = request
    const headers: RequestHeaders = Object.fromEntries(
      Object.entries(request.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
    )
    const address = socket.remoteAddress ?? ''
    const body = method === 'POST' ? { body: new Uint8Array(await buffer(request)) } : {}
    const asked = service?.({
      method,
      ...(splitTarget(target) ?? fail(target)),
      headers,
      authorizations: 0,
      address,
      ...body,
    })
    const reply = await Promise.resolve(asked)
    if (!reply) return void response.destroy()
    response.writeHead(reply.status, [...headersOf(reply)])
    if (!reply.body || reply.body instanceof Uint8Array) return void response.end(reply.body)
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    for await (const chunk of reply.body.chunks(gone.signal)) response.write(chunk)
    response.end()
  })
  service = await make(url)
  return url
}

function fail(target: string): never {
  throw new Error(`${target} is not a target`)
}
