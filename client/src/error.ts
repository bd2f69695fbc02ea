/** The remaining requests of the workspace, from the field `RateLimit`. */
export type Limit = {
  /** The requests that are possible now. */
  remaining: number
  /** The seconds until the next request is possible. */
  resetSeconds: number
}

/** The parts of an error. */
export type HousestyleErrorFields = Partial<Omit<HousestyleError, 'name' | 'message' | 'stack' | 'code'>> & {
  code: string
}

/** A failed request. An aborted request throws the reason of its signal instead. */
export class HousestyleError extends Error {
  override readonly name = 'HousestyleError'
  /** The status of the reply; 0 without a reply. */
  readonly status: number
  /**
   * The `error` code of the service, such as `access_denied`. Otherwise `network_error`, `timeout`, `redirect` (to
   * another origin), `invalid_reply`, `content_changed` (during a download), or `http_502` for a foreign error page.
   */
  readonly code: string
  /** The cause and the fix, in English. */
  readonly description: string
  /** The address of the documentation of the code. */
  readonly uri: string | undefined
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined
  readonly limit: Limit | undefined
  /** The seconds to wait before another attempt, from the field `Retry-After`. */
  readonly retryAfterSeconds: number | undefined

  constructor(attempt: string, fields: HousestyleErrorFields) {
    const { status = 0, code, description = '' } = fields
    super(
      `${attempt}: ${status > 0 ? `${status} ` : ''}${code}: ${description}`,
      'cause' in fields ? { cause: fields.cause } : {},
    )
    this.status = status
    this.code = code
    this.description = description
    this.uri = fields.uri
    this.requestId = fields.requestId
    this.limit = fields.limit
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

/** The error of a reply with an error status. Proxies may send other bodies than the service. */
export async function errorOf(attempt: string, response: Response, now: number): Promise<HousestyleError> {
  const { status, headers } = response
  const { error, error_description, error_uri } = parseObject(await response.text().catch(() => ''))
  return new HousestyleError(attempt, {
    status,
    code: textOr(error) ?? `http_${status}`,
    description: textOr(error_description) ?? 'The reply is not from a housestyle service: check baseUrl and proxies.',
    uri: textOr(error_uri),
    requestId: headers.get('x-request-id') ?? undefined,
    limit: limitOf(headers.get('ratelimit') ?? ''),
    retryAfterSeconds: retryAfterOf(headers.get('retry-after'), now),
  })
}

/** Whether another attempt may succeed: after a network error, a timeout, 408, 429 and 5xx. */
export function isTemporary(error: unknown): error is HousestyleError {
  if (!(error instanceof HousestyleError)) return false
  const { status, code } = error
  return code === 'network_error' || code === 'timeout' || status === 408 || status === 429 || status >= 500
}

/** The object that a JSON text contains; for any other text, an empty one. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function limitOf(field: string): Limit | undefined {
  const [, remaining, resetSeconds] = /;r=(\d+);t=(\d+)/.exec(field) ?? []
  return remaining === undefined ? undefined : { remaining: Number(remaining), resetSeconds: Number(resetSeconds) }
}

/** Seconds, or a date (RFC 9110 §10.2.3). */
function retryAfterOf(field: string | null, now: number): number | undefined {
  if (field === null) return undefined
  const seconds = /^\d+$/.test(field) ? Number(field) : (Date.parse(field) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
