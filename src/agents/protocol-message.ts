import { failed, ok, type Result } from '../base/result.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { json } from '../exchange/reply.ts'
import { parseContentId } from './tools/content-id.ts'

/** The part of a protocol message that permissions depend on. `project` is empty if it names none. */
export type Use = { tool: string; resource: string; project: string }

/**
 * Reads the body of a protocol request: JSON, one message or a batch of the 2025 revisions. The problem is a reply in
 * the form of the protocol. The library checks everything else.
 */
export function readUses({ headers, body }: Request): Result<Use[], Reply> {
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    return failed(protocolError(415, -32000, 'The content type must be application/json.'))
  const parsed = parse(body)
  if (parsed === undefined) return failed(protocolError(400, -32700, 'The body is not valid JSON.'))
  const messages: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  if (messages.length === 0 || messages.length > MAX_BATCH)
    return failed(protocolError(400, -32600, `A batch has 1 to ${MAX_BATCH} messages.`))
  return ok(messages.map(useOf))
}

const MAX_BATCH = 20

/** The number of messages that count against limits: those of a batch, and 1 for a request that is refused anyway. */
export function countMessages(request: Request): number {
  const uses = readUses(request)
  return uses.ok ? uses.value.length : 1
}

/** An error reply in the form of JSON-RPC. */
export function protocolError(status: number, code: number, message: string): Reply {
  return json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}

function parse(body: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

function useOf(message: unknown): Use {
  const { method, params } = fieldsOf(message)
  const { name, uri, arguments: given } = fieldsOf(params)
  const { project, id } = fieldsOf(given)
  const tool = method === 'tools/call' ? text(name) : ''
  return {
    tool,
    resource: method === 'resources/read' ? text(uri) : '',
    project: tool === 'fetch' ? (parseContentId(text(id).trim())?.project ?? '') : text(project).trim(),
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isFields(value) ? value : {}
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
