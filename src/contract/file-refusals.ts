import type { HeaderList, Reply } from '../exchange/message.ts'
import { errorReply } from './refusals.ts'

/** Why a file that exists is not sent. No operation of the API replies with these. */
const FILE_REFUSALS = {
  'precondition-failed': {
    status: 412,
    error: 'invalid_request',
    description: 'The file here is not the one that the If-Match field names. Ask again without the field.',
  },
  'range-not-satisfiable': {
    status: 416,
    error: 'invalid_request',
    description:
      'The file has no bytes in the range that was asked for. Ask for bytes below its length, which the Content-Range field gives.',
  },
} as const

/** The reply to a request for a file that is refused, in the form of the API's errors. */
export function fileRefusalReply(id: keyof typeof FILE_REFUSALS, publicUrl: string, headers: HeaderList = []): Reply {
  return errorReply(FILE_REFUSALS[id], publicUrl, headers)
}
