import { resultOf } from './run-command.ts'
import type { Answer, TestService } from './service.ts'

/** Makes a share link by the command line, in a folder whose store is in it. */
export async function share(folder: string, ...args: readonly string[]): Promise<{ id: string; path: string }> {
  const { id, url } = await resultOf(folder, ['share', ...args])
  return { id, path: new URL(url).pathname }
}

/** The Cookie header that a browser sends for the first Set-Cookie header. */
export function cookieOf({ headers }: Pick<Answer, 'headers'>): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** The cookie of a new share link. */
export async function sharedCookie(
  { ask, follow }: Pick<TestService, 'ask' | 'follow'>,
  folder: string,
  ...args: readonly string[]
): Promise<string> {
  const { path } = await share(folder, ...args)
  await follow()
  return cookieOf(await ask(path))
}
