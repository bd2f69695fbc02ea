import { createHmac, hash } from 'node:crypto'
import { errorReply } from '#brand/contract/refusals.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { groupsOf } from '#platform/base/text.ts'
import type { BodyDigest, Reply, Request } from '#platform/exchange/message.ts'
import { json } from '#platform/exchange/reply.ts'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import type { Audit } from '#platform/telemetry/access-event.ts'
import type { Follower } from './follow.ts'

export const HOOK_PATH = '/hooks/git'

type Hook = {
  /** The secret that the git host knows; absent: webhooks are refused. */
  secret?: string | undefined
  follower: Pick<Follower, 'request'>
  publicUrl: string
  record: Audit
}

/** The HMAC-SHA256 of a body, if the host signs it. The body itself may be larger than others. */
export function hookDigest(secret: string | undefined, headers: RequestHeaders): BodyDigest {
  if (secret === undefined || signaturesIn(headers).length === 0) return { update: () => undefined, digest: () => '' }
  const hmac = createHmac('sha256', secret)
  return { update: chunk => void hmac.update(chunk), digest: () => hmac.digest('hex') }
}

/** Answers a webhook. It only causes a check of the followed repositories, regardless of its content. */
export async function answerHook({ secret, follower, publicUrl, record }: Hook, request: Request): Promise<Reply> {
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
      'The webhook does not prove that it knows the secret of this service. Set the same secret at the git host and in HOUSESTYLE_GIT_HOOK_SECRET. It is expected as a signature with SHA-256 in X-Hub-Signature-256, X-Hub-Signature, X-Gitea-Signature or X-Gogs-Signature, in X-Gitlab-Token, or as the password of HTTP Basic.',
  },
} as const

/** Most hosts sign the body, some in several fields; GitLab sends the secret itself, and Azure DevOps as a password. */
function isSigned(secret: string, { headers, authorizations, bodyDigest = '' }: Request): boolean {
  const signatures = signaturesIn(headers)
  if (signatures.length > 0)
    return bodyDigest !== '' && signatures.every(signature => equalsInConstantTime(signature, bodyDigest))
  const { 'x-gitlab-token': token = authorizations === 1 ? basicPassword(headers) : undefined } = headers
  return token !== undefined && equalsInConstantTime(hash('sha256', token), hash('sha256', secret))
}

/** The signatures with SHA-256, in hexadecimal digits. One with SHA-1 proves nothing. */
function signaturesIn(headers: RequestHeaders): string[] {
  const { 'x-hub-signature-256': github, 'x-hub-signature': hub = 'sha1=' } = headers
  const named = hub.startsWith('sha1=') ? [github] : [github, hub]
  // A signature in another form is kept as one that equals none, so that it cannot be ignored.
  const digits = named.map(value => value && (groupsOf(/^sha256=(.*)$/, value)[1] ?? 'unknown'))
  return [...digits, headers['x-gitea-signature'], headers['x-gogs-signature']].filter(each => each !== undefined)
}

/** The password of HTTP Basic (RFC 7617 §2), with any name. */
function basicPassword({ authorization = '' }: RequestHeaders): string | undefined {
  const [, encoded = ''] = groupsOf(/^basic +([\w+/]+={0,2})$/i, authorization)
  const [, password] = groupsOf(/^[^:]*:(.*)$/s, Buffer.from(encoded, 'base64').toString())
  return password
}
