import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lazy } from '#platform/base/object.ts'

/**
 * The files of an editor that do not depend on a brand, keyed by path: the library, our formats, fonts and licenses. The
 * package contains them; when running from source, the first call makes them from the development packages.
 */
export const editorParts = lazy(() => (import.meta.url.endsWith('.ts') ? makeParts() : readParts()))

/** Imports by a computed address, so that the package contains neither the code nor the development packages. */
async function makeParts(): Promise<ReadonlyMap<string, Uint8Array>> {
  const module = await import(new URL('./make-parts.ts', import.meta.url).href)
  return module.makeParts()
}

async function readParts(): Promise<ReadonlyMap<string, Uint8Array>> {
  const folder = fileURLToPath(new URL('./parts/', import.meta.url))
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const paths = files.map(file => file.slice(folder.length).replaceAll('\\', '/')).sort()
  return new Map(await Promise.all(paths.map(async path => [path, await readFile(join(folder, path))] as const)))
}
