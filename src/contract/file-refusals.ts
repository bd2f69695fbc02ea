import type { HeaderList, Reply } from '../exchange/message.ts'
import { errorReply } from './refusals.ts'

/** The reasons not to send a file that exists. No operation of the API gives one of them. */
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

/** The reply to a refused request for a file, in the form of the API's errors. */
export function fileRefusalReply(id: keyof typeof FILE_REFUSALS, publicUrl: string, headers: HeaderList = []): Reply {
  return errorReply(FILE_REFUSALS[id], publicUrl, headers)
}
