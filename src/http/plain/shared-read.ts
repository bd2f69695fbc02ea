import { Socket } from 'node:net'

/**
 * Has what comes on a connection read into one buffer that all connections share, and handed to `take`, for as long as
 * `isDirect`; the bytes are valid until `take` returns. Otherwise they go through the stream, as they all do where Node
 * cannot do this. By itself, Node allocates 64 KiB for each read, gives most of it back, and passes the rest through a
 * stream, which is a tenth of what a request costs. Its own `onread` of `net.Socket` does the same, but is not offered for
 * connections that a server accepts.
 */
export function readShared(socket: Socket, isDirect: () => boolean, take: (bytes: Buffer) => void): void {
  const handle: unknown = Reflect.get(socket, '_handle')
  const use: unknown = handle instanceof Object ? Reflect.get(handle, 'useUserBuffer') : undefined
  if (!BUFFER || !CALLBACK || typeof use !== 'function') return
  const came = (length: number) => {
    const bytes = SHARED.subarray(0, length)
    if (!isDirect()) return socket.push(Buffer.from(bytes))
    take(bytes)
    return true
  }
  Reflect.set(socket, BUFFER, SHARED)
  Reflect.set(socket, CALLBACK, came)
  Reflect.apply(use, handle, [SHARED])
}

const SHARED = Buffer.allocUnsafeSlow(64 << 10)

const [BUFFER, CALLBACK] = ['kBuffer', 'kBufferCb'].map(name =>
  Object.getOwnPropertySymbols(new Socket()).find(({ description }) => description === name),
)
