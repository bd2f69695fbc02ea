/** Whether a reference leads to this service at any host: a path, a query or a fragment, never another origin. */
export function isSameOrigin(reference: string): boolean {
  return !URL.canParse(reference) && URL.canParse(reference, ORIGIN) && new URL(reference, ORIGIN).origin === ORIGIN
}

/** Stands for the origin of the service; the name is reserved (RFC 2606). */
const ORIGIN = 'https://here.invalid'
