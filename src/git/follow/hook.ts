import { createHmac, hash } from 'node:crypto'
import { equalsInConstantTime } from '../../base/bytes.ts'
import { errorReply } from '../../contract/refusals.ts'
import type { BodyDigest, Reply, Request } from '../../exchange/message.ts'
import { json } from '../../exchange/reply.ts'
import type { RequestHeaders } from '../../exchange/request-fields.ts'
import type { Audit } from '../../telemetry/access-event.ts'
import type { Follower } from './follow.ts'

/** The address for push webhooks of git hosts. */
export const HOOK_PATH = '/hooks/git'

type HookContext = {
  /** The secret that the git host knows; absent: webhooks are refused. */
  secret?: string | undefined
  follower: Pick<Follower, 'request'>
  publicUrl: string
  record: Audit
}

/** The HMAC-SHA256 of a body for GitHub, nothing for GitLab. The body itself may be larger than others. */
export function hookDigest(secret: string | undefined, headers: RequestHeaders): BodyDigest {
  if (secret === undefined || headers[SIGNATURE] === undefined) return { update: () => undefined, digest: () => '' }
  const hmac = createHmac('sha256', secret)
  return { update: chunk => void hmac.update(chunk), digest: () => hmac.digest('hex') }
}

/** Answers a webhook. It only causes a check of the followed repositories, regardless of its content. */
export async function answerHook(
  { secret, follower, publicUrl, record }: HookContext,
  request: Request,
): Promise<Reply> {
  const { address } = request
  const refused = (reason: keyof typeof REFUSED) => {
    record({ event: 'hook-refused', reason, address })
    return errorReply(REFUSED[reason], publicUrl, [])
  }
  if (secret === undefined) return refused('off')
  if (!isSigned(secret, request)) return refused('unsigned')
  await follower.request()
  return json({ accepted: true }, { status: 202 })
}

const REFUSED = {
  off: {
    status: 403,
    error: 'access_denied',
    description:
      'This service takes no webhooks, because it has no secret for them. Its operator sets HOUSESTYLE_GIT_HOOK_SECRET.',
  },
  unsigned: {
    status: 401,
    error: 'invalid_client',
    description:
      'The webhook does not prove that it knows the secret of this service. Set the same secret at the git host and in HOUSESTYLE_GIT_HOOK_SECRET.',
  },
} as const
const SIGNATURE = 'x-hub-signature-256'

/** GitHub signs the body; GitLab sends the secret itself. */
function isSigned(secret: string, { headers, bodyDigest = '' }: Request): boolean {
  const { [SIGNATURE]: signature, 'x-gitlab-token': token } = headers
  if (signature !== undefined) return bodyDigest !== '' && equalsInConstantTime(signature, `sha256=${bodyDigest}`)
  return token !== undefined && equalsInConstantTime(hash('sha256', token), hash('sha256', secret))
}
