import { isUtf8 } from 'node:buffer'
import type { Scope } from '#brand/contract/operations.ts'
import { field, parsedJson } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { json } from '#platform/exchange/reply.ts'
import { decodeSegments } from '#platform/exchange/target.ts'
import type { ExportFormat } from '../export/format.ts'
import { FORMATS } from '../export/formats.ts'
import { parseContentId } from './tools/content-id.ts'

/**
 * The part of a protocol message that permissions depend on: the tool that it calls, the resource that it reads, and the
 * project of the call; each is empty if it names none.
 */
export type Use = { tool: string; resource: string; project: string }

/** Reads the messages of a request, one or a batch of the 2025 revisions. The library checks everything else. */
export function readUses(request: Request): Result<Use[], Reply> {
  if (!isMessage(request)) return failed(protocolError(415, -32000, 'The content type must be application/json.'))
  const { body = new Uint8Array() } = request
  const parsed = isUtf8(body) ? parsedJson(new TextDecoder().decode(body)) : undefined
  if (parsed === undefined) return failed(protocolError(400, -32700, 'The body is not valid JSON.'))
  const messages: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  if (messages.length === 0 || messages.length > MAX_BATCH)
    return failed(protocolError(400, -32600, `A batch has 1 to ${MAX_BATCH} messages.`))
  return ok(messages.map(useOf))
}

const MAX_BATCH = 20

/** Whether a request says that its body is JSON, as a message is. */
export function isMessage({ headers }: Request): boolean {
  return /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')
}

/** The number of messages that count against limits: those of a batch, and 1 for a request that is refused anyway. */
export function countMessages(request: Request): number {
  const uses = readUses(request)
  return uses.ok ? uses.value.length : 1
}

export function protocolError(status: number, code: number, message: string): Reply {
  return json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}

function useOf(message: unknown): Use {
  const method = field(message, 'method')
  const params = field(message, 'params')
  const input = field(params, 'arguments')
  const tool = method === 'tools/call' ? textIn(params, 'name') : ''
  return {
    tool,
    resource: method === 'resources/read' ? textIn(params, 'uri') : '',
    project:
      tool === 'fetch' ? (parseContentId(textIn(input, 'id').trim())?.project ?? '') : textIn(input, 'project').trim(),
  }
}

function textIn(value: unknown, key: string): string {
  const text = field(value, key)
  return typeof text === 'string' ? text : ''
}

/** The exports that are also resources. */
export const EXPORTS = [
  {
    file: 'tokens.json',
    name: 'tokens',
    title: 'Design tokens',
    description: 'Colours and type styles of a project in the Design Tokens format, 2025.10',
    mimeType: 'application/json',
  },
  {
    file: 'DESIGN.md',
    name: 'design',
    title: 'DESIGN.md',
    description: 'Values and pages of a project in one file for coding agents',
    mimeType: 'text/markdown',
  },
] as const

/** The export format of a resource, by its decoded name below its project; undefined for a page. */
export function formatOfResource(name: string): ExportFormat | undefined {
  return FORMATS.find(({ file }) => file === name && EXPORTS.some(each => each.file === name))
}

/** The scopes that a resource needs, by its decoded name, since any character of a URI may be percent-encoded. */
export function scopesOfResource(uri: string, pathOf: (uri: string) => string | undefined): readonly Scope[] {
  // The path of any resource: `/workspace/project/name`.
  const segments = decodeSegments(pathOf(uri) ?? '')
  const [_workspace, _project, ...name] = segments ?? []
  return formatOfResource(name.join('/'))?.scopes ?? PAGE_SCOPES
}

const PAGE_SCOPES = ['document.read'] as const
