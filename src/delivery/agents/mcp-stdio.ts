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
  /** Runs before each message, such as to read changes of the folder. */
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
  // The ids of the requests that are not answered yet.
  const openRequests = new Set<unknown>()
  const transport = lineTransport(streams, openRequests)
  // The library starts the transport once it listens to messages.
  const started = Promise.withResolvers<void>()
  transport.start = async () => started.resolve()
  const session = serveStdio(() => mcpServer(reader, info, failed), { transport, onerror: () => undefined })
  await started.promise
  for await (const line of linesOf(input)) await receive(line, transport, openRequests, streams)
  while (openRequests.size > 0) await transport.answered()
  isEnded = true
  await session.close()
}

/** `answered` waits for the next message that is sent. */
type LineTransport = Transport & { answered: () => Promise<void> }

/** A transport that removes answered requests from the open ones. */
function lineTransport({ write }: LineStreams, openRequests: Set<unknown>): LineTransport {
  let nextSent = Promise.withResolvers<void>()
  const transport: LineTransport = {
    start: async () => undefined,
    send: async message => {
      await write(`${readableText(serializeMessage(message).trimEnd())}\n`)
      // A message with an id and without a method is the answer to a request.
      if ('id' in message && !('method' in message)) openRequests.delete(message.id)
      nextSent.resolve()
      nextSent = Promise.withResolvers()
    },
    close: async () => transport.onclose?.(),
    answered: () => nextSent.promise,
  }
  return transport
}

/** Passes a line to the library, or answers that it is not a message. */
async function receive(
  line: string,
  transport: Transport,
  openRequests: Set<unknown>,
  { write, beforeMessage }: LineStreams,
): Promise<void> {
  const message = attempt(() => deserializeMessage(lenientText(line)))
  if (!message) {
    const error = { code: -32700, message: 'A line must be one JSON-RPC message.' }
    return write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`)
  }
  await beforeMessage()
  if ('method' in message && 'id' in message) openRequests.add(message.id)
  // A cancelled request gets no answer.
  if ('method' in message && message.method === 'notifications/cancelled')
    openRequests.delete(message.params?.requestId)
  transport.onmessage?.(message)
}

/** The lines of a stream without blank ones. The text after the last line break is a line, too. */
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
