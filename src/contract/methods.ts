import type { Reply } from '../exchange/message.ts'
import { noContent } from '../exchange/reply.ts'
import { refusalReply, refuse } from './refusals.ts'

/** The methods that every address can be asked with, but the token endpoint. */
export const METHODS = 'GET, HEAD, OPTIONS'

/** The answer to a method that reads nothing: 204 to OPTIONS, 405 to others; undefined for GET and HEAD. */
export function answerMethod(method: string, publicUrl: string): Reply | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined
  if (method === 'OPTIONS') return noContent(['Allow', METHODS])
  return refusalReply(refuse('method-not-allowed', ['Allow', METHODS]), publicUrl)
}
