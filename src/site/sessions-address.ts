import type { Person } from '#serving/access/session/session-verifier.ts'

/** The path of the page of a person's own sessions; undefined for people whom a proxy names, who have none. */
export function sessionsAddress(
  at: (path: string) => string,
  { id, workspace }: Pick<Person, 'id' | 'workspace'>,
): string | undefined {
  return id === '' ? undefined : at(`/${workspace}/-/sessions`)
}
