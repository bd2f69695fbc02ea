import { readFileSync } from 'node:fs'
import { bundleFormats } from './bundle-formats.ts'
import { iconFont } from './icon-font.ts'
import { fontLicenses, licenses } from './licenses.ts'
import { patchLibrary } from './patch-library.ts'
import { textFonts } from './text-fonts.ts'

/**
 * Makes the files of an editor that do not depend on a brand, keyed by path, from development packages. The same packages
 * give the same bytes.
 *
 * @throws if the library differs from the expected version
 */
export async function makeParts(): Promise<ReadonlyMap<string, Uint8Array>> {
  const library = readFileSync(LIBRARY, 'utf8')
  const { script, packages } = await bundleFormats()
  const encode = (text: string) => new TextEncoder().encode(text)
  return new Map([
    ['LICENSE', encode(licenses(packages))],
    ['sveltia-cms.js', encode(patchLibrary(library))],
    ['formats.js', encode(script)],
    ['fonts/LICENSE', encode(fontLicenses())],
    ['fonts/icons.woff2', await iconFont(library)],
    ...(await textFonts()),
  ])
}

/** The classic script, which the package does not export. */
const LIBRARY = new URL('../../../node_modules/@sveltia/cms/dist/sveltia-cms.js', import.meta.url)
