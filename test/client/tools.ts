import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { needs } from '../support/programs.ts'

const TOOLS = fileURLToPath(new URL('../../client/node_modules/.bin/', import.meta.url))

/** The path of a program that the client's own lockfile installs. */
export function clientTool(name: 'tsc' | 'openapi-typescript'): string {
  return join(TOOLS, name)
}

/** The options of a test that runs them. If they are not installed, the test is skipped with advice. */
export function needsClientTools(): { skip: string | false } {
  return needs('tools of the client')
}
