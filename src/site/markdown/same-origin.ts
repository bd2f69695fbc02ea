/** Whether a reference points to this service on any host: a path, query or fragment, never another origin. */
export function isSameOrigin(reference: string): boolean {
  return !URL.canParse(reference) && URL.canParse(reference, ORIGIN) && new URL(reference, ORIGIN).origin === ORIGIN
}

/** A placeholder for the origin of the service; the name is reserved (RFC 2606). */
const ORIGIN = 'https://here.invalid'
