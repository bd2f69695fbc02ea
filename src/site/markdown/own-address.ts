/** Whether a reference leads to this service at any host: a path, a query or a fragment, never another origin. */
export function isOwnAddress(reference: string): boolean {
  return !URL.canParse(reference) && URL.canParse(reference, HERE) && new URL(reference, HERE).origin === HERE
}

/** Stands for the origin of the service; the name is reserved (RFC 2606). */
const HERE = 'https://here.invalid'
