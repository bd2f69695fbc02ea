import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TOOLS = fileURLToPath(new URL('../../client/node_modules/.bin/', import.meta.url))

/** The path of a program that the client's own lockfile installs. */
export function clientTool(name: 'tsc' | 'openapi-typescript'): string {
  return join(TOOLS, name)
}

/** The options of a test that runs them. If they are not installed, the test is skipped with advice. */
export function needsClientTools(): { skip: string | false } {
  return { skip: existsSync(clientTool('tsc')) ? false : 'the tools of the client are missing: npm ci --prefix client' }
}
