import type { Reply } from '../exchange/message.ts'
import { noContent } from '../exchange/reply.ts'
import { refusalReply, refuse } from './refusals.ts'

/** The methods of every address but the token endpoint. */
export const METHODS = 'GET, HEAD, OPTIONS'

/** Answers methods other than GET and HEAD, for which it gives undefined: 204 to OPTIONS, 405 to any other. */
export function answerMethod(method: string, publicUrl: string): Reply | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined
  if (method === 'OPTIONS') return noContent(['Allow', METHODS])
  return refusalReply(refuse('method-not-allowed', ['Allow', METHODS]), publicUrl)
}
