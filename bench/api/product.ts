import { freePort } from '../../test/support/free-port.ts'
import { type Brands, PUBLIC_URL } from './brands.ts'
import { type Server, startServer } from './processes.ts'

/** A service as users have it, with the limit on, which nobody reaches. */
export async function startProduct(
  bin: string,
  { store }: Brands,
  { options = [], cores }: { options?: readonly string[]; cores?: string } = {},
): Promise<Server> {
  const port = String(await freePort())
  const settings = ['--public-url', PUBLIC_URL, '--port', port, '--rate', '1000000/1', '--log', 'warn']
  const args = [bin, 'serve', ...store, ...settings, ...options]
  return startServer({
    url: `http://127.0.0.1:${port}`,
    program: process.execPath,
    args,
    ...(cores !== undefined && { cores }),
  })
}
