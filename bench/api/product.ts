import { freePort } from '../../test/support/free-port.ts'
import { type Brands, PUBLIC_URL } from './brands.ts'
import { type Server, startServer } from './processes.ts'

/** Ways to run housestyle. */
export const EDITIONS = [{ name: 'housestyle', program: process.execPath, options: [] }] as const

/** A service as users have it, with the limit on, which nobody reaches. */
export async function startProduct(
  bin: string,
  { store }: Brands,
  { program, options, cores }: { program: string; options: readonly string[]; cores?: string } = EDITIONS[0],
): Promise<Server> {
  const port = String(await freePort())
  const settings = ['--public-url', PUBLIC_URL, '--port', port, '--rate', '1000000/1', '--log', 'warn']
  const args = [bin, 'serve', ...store, ...settings, ...options]
  return startServer({ url: `http://127.0.0.1:${port}`, program, args, ...(cores !== undefined && { cores }) })
}
