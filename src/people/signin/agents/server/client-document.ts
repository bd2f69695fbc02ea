import { isObject, parsedJson } from '#platform/base/object.ts'
/** The maximum size of the document of a client, and of its keys, which counts before any field is removed. */
export const MAX_DOCUMENT_BYTES = 64 << 10

/** Keeps the known fields of a client's document, so that others, such as further addresses to load, have no effect. */
export async function withKnownFields(address: string, response: Response): Promise<Response> {
  if (response.status !== 200) return response
  const text = await response.text()
  const { status, headers } = response
  return new Response(knownFields(address, text) ?? text, { status, headers })
}

/** The document with its known fields only; undefined if it is not the document of this address, which stays unchanged. */
function knownFields(address: string, text: string): string | undefined {
  const document = parsedJson(text)
  if (!isObject(document) || document.client_id !== address) return undefined
  return JSON.stringify(Object.fromEntries(Object.entries(document).filter(([name]) => KNOWN.has(name))))
}

/** The fields that the library reads. The secret is among them, so that a document that contains one is refused. */
const KNOWN: ReadonlySet<string> = new Set([
  ...'client_id client_name client_secret client_secret_expires_at redirect_uris grant_types'.split(' '),
  ...'response_types token_endpoint_auth_method token_endpoint_auth_signing_alg jwks jwks_uri'.split(' '),
])
