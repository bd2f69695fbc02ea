import { visible } from '../../output/text.ts'
import { isLocal } from '../../service-address.ts'

/** Finds files of an export that contain addresses that only work on this machine. */
export type LocalAddresses = {
  /** Searches the bytes of a file. */
  look: (path: string, bytes: Uint8Array) => void
  /** One warning that names the first such file; empty if none was found. */
  warnings: () => string[]
}

/** Looks for addresses below a URL, without a slash at its end. Finds nothing if the URL is absent or not local. */
export function localAddresses(url: string | undefined): LocalAddresses {
  if (url === undefined || !isLocal(url)) return { look: () => undefined, warnings: () => [] }
  const found = new Set<string>()
  return {
    look: (path, bytes) => {
      if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(`${url}/`)) found.add(path)
    },
    warnings: () => {
      const [first, ...others] = found
      if (first === undefined) return []
      const contain = others.length === 0 ? 'contains' : `and ${others.length} more contain`
      return [
        `${visible(first)} ${contain} addresses of this machine (${url}/…): give --public-url, the address that clients use`,
      ]
    },
  }
}
