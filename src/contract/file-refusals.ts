import type { HeaderList, Reply } from '../exchange/message.ts'
import { errorReply } from './refusals.ts'

/** The reasons not to send an existing file. No API operation uses them. */
const FILE_REFUSALS = {
  'precondition-failed': {
    status: 412,
    error: 'invalid_request',
    description: 'The file does not match the tag in the If-Match field. Request it again without the field.',
  },
  'range-not-satisfiable': {
    status: 416,
    error: 'invalid_request',
    description:
      'The file has no bytes in the requested range. Request bytes below its length, which is in the Content-Range field.',
  },
} as const

/** Makes the error reply to a request for a file, in the form of the API errors. */
export function fileRefusalReply(id: keyof typeof FILE_REFUSALS, publicUrl: string, headers: HeaderList = []): Reply {
  return errorReply(FILE_REFUSALS[id], publicUrl, headers)
}
