import { deserializeMessage, serializeMessage, type Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { attempt } from '#platform/base/result.ts'
import { lenientText, readableText } from './lenient-messages.ts'
import { mcpServer } from './mcp-server.ts'
import { serverInfo } from './server-info.ts'
import type { Reader } from './tools/tool.ts'

/** The streams of a session: lines of JSON in both directions. */
export type LineStreams = {
  input: AsyncIterable<Uint8Array>
  write: (text: string) => Promise<void>
  beforeMessage: () => Promise<void>
  /** Receives faults, which the client does not see. */
  failed: (error: unknown) => void
  version: string
}

/** Answers messages until every request is answered. The library's own transport drops requests in progress. */
export async function answerLines(reader: Reader, streams: LineStreams): Promise<void> {
  const { input, version } = streams
  const info = await serverInfo(reader, version)
  let isEnded = false
  // A cancelled request may still be in work at the end, which stops it.
  const failed = (error: unknown) => isEnded || streams.failed(error)
  const open = new Set<unknown>()
  const transport = lineTransport(streams, open)
  const started = Promise.withResolvers<void>()
  transport.start = async () => started.resolve()
  const session = serveStdio(() => mcpServer(reader, info, failed), { transport, onerror: () => undefined })
  await started.promise
  for await (const line of linesOf(input)) await receive(line, transport, open, streams)
  while (open.size > 0) await transport.answered()
  isEnded = true
  await session.close()
}

type LineTransport = Transport & { answered: () => Promise<void> }

/** A transport that removes answered requests from the open ones. */
function lineTransport({ write }: LineStreams, open: Set<unknown>): LineTransport {
  let waiting = Promise.withResolvers<void>()
  const transport: LineTransport = {
    start: async () => undefined,
    send: async message => {
      await write(`${readableText(serializeMessage(message).trimEnd())}\n`)
      if ('id' in message && !('method' in message)) open.delete(message.id)
      waiting.resolve()
      waiting = Promise.withResolvers()
    },
    close: async () => transport.onclose?.(),
    answered: () => waiting.promise,
  }
  return transport
}

async function receive(
  line: string,
  transport: Transport,
  open: Set<unknown>,
  { write, beforeMessage }: LineStreams,
): Promise<void> {
  const message = attempt(() => deserializeMessage(lenientText(line)))
  if (!message) {
    const error = { code: -32700, message: 'A line must be one JSON-RPC message.' }
    return write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`)
  }
  await beforeMessage()
  if ('method' in message && 'id' in message) open.add(message.id)
  // A cancelled request gets no answer.
  if ('method' in message && message.method === 'notifications/cancelled') open.delete(message.params?.requestId)
  transport.onmessage?.(message)
}

async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter(line => line.trim() !== '')
  }
  if (rest.trim() !== '') yield rest
}
