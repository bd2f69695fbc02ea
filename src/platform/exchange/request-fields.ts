/**
 * The request header fields that the service reads; it ignores all others. A handler cannot read a field that is absent
 * here. Either list reaches it through both readers: `src/program/http/plain` reads the fields of `PLAIN_FIELDS`, and leaves
 * requests with one of `OTHER_FIELDS` to node:http. Each value is undefined, because the reader of plain requests copies
 * this object: requests of the same shape are fast to read.
 */
export const PLAIN_FIELDS = {
  accept: undefined,
  'accept-encoding': undefined,
  'accept-language': undefined,
  'access-control-request-method': undefined,
  authorization: undefined,
  'content-type': undefined,
  cookie: undefined,
  forwarded: undefined,
  host: undefined,
  'if-match': undefined,
  'if-none-match': undefined,
  'if-range': undefined,
  'last-event-id': undefined,
  origin: undefined,
  range: undefined,
  referer: undefined,
  'sec-fetch-dest': undefined,
  'sec-fetch-mode': undefined,
  'sec-fetch-site': undefined,
  'user-agent': undefined,
  'x-forwarded-for': undefined,
  'x-forwarded-proto': undefined,
} as const

/** Fields of bodies, of traces, and of requests that are never plain. */
export const OTHER_FIELDS = [
  'content-length',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'traceparent',
  'tracestate',
  'transfer-encoding',
  'x-gitea-signature',
  'x-gitlab-token',
  'x-gogs-signature',
  'x-hub-signature',
  'x-hub-signature-256',
] as const

export type PlainField = keyof typeof PLAIN_FIELDS

type OtherField = (typeof OTHER_FIELDS)[number]

export type RequestField = PlainField | OtherField

/** Values of request fields, with repeated ones joined by RFC 9110 §5.3. */
export type RequestHeaders = Readonly<Partial<Record<RequestField, string | undefined>>>

export function isPlainField(name: string): name is PlainField {
  return Object.hasOwn(PLAIN_FIELDS, name)
}

export function isOtherField(name: string): name is OtherField {
  return OTHERS.has(name)
}

const OTHERS: ReadonlySet<string> = new Set(OTHER_FIELDS)
