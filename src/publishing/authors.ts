import { comparableAddress } from '#platform/base/text.ts'
import { openSealed, sealBytes } from '#platform/exchange/sealed.ts'
import type { ReviewRecord } from '#store/catalogue/reviews.ts'

/**
 * The address of a person in commits that do not show the verified one: `3f2a1b9c4d5e6f70@users.brand.acme.example`. The
 * subject is a hash, whose start tells all people apart.
 */
export function commitAddress(subject: string, host: string): string {
  return `${subject.slice(0, SUBJECT_DIGITS)}@users.${host}`
}

const SUBJECT_DIGITS = 16

/**
 * Encrypts the verified address of a person for commits that do not show it, so that the service knows the person at
 * another sign-in.
 */
export function sealAddress(secret: Uint8Array, address: string): string {
  return sealBytes(secret, AUTHOR, Buffer.from(address))
}

/** The addresses of authors, of which some are sealed: those are opened. */
export function openAddresses(secret: Uint8Array, authors: readonly string[]): string[] {
  return authors.map(author => openSealed(secret, AUTHOR, author)?.toString() ?? author)
}

const AUTHOR = ['author of a commit']

/** Whether a reviewer is among the authors of commits, perhaps at another host of the service. */
export function isAuthor(
  authors: readonly string[],
  { reviewer, email = '' }: Pick<ReviewRecord, 'reviewer' | 'email'>,
) {
  return hasAddress(authors, email) || authors.some(author => author.startsWith(commitAddress(reviewer, '')))
}

export function hasAddress(authors: readonly string[], address: string): boolean {
  return authors.some(author => comparableAddress(author) === comparableAddress(address))
}
