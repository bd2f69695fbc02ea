import type { HeaderList, Reply, Request } from '../exchange/message.ts'
import { withHeaders } from '../exchange/message.ts'
import { decodeSegments } from '../exchange/target.ts'
import { AGENTS_PATH, guideAgentsPath } from './metadata.ts'
import { isMessage, protocolError } from './protocol-message.ts'

/**
 * Refuses a message of an agent at the address of a page, and names the address for agents; undefined for any other
 * request. The reply depends only on the path, so that it does not reveal which guides exist.
 */
export function refuseAtPage(request: Request, publicUrl: string, headers: HeaderList): Reply | undefined {
  if (request.method !== 'POST' || !isMessage(request)) return undefined
  const [workspace = '', project = ''] = decodeSegments(request.path.replace(/\/+$/, '')) ?? []
  const path = guideAgentsPath({ workspace, project })
  const advice =
    path === undefined ? `${publicUrl}${AGENTS_PATH}, or {guide url}/-${AGENTS_PATH} for one guide` : publicUrl + path
  return withHeaders(
    protocolError(405, -32000, `This is the address of a page. An MCP client connects to ${advice}.`),
    headers,
  )
}
