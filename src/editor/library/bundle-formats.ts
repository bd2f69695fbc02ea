import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** A script, and the packages whose code it contains, sorted by name. */
export type Bundle = { script: string; packages: readonly string[] }

/** Bundles our file formats into a classic script, which registers them with the library. */
export async function bundleFormats(): Promise<Bundle> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../formats/register.ts', import.meta.url)),
    platform: 'browser',
  })
  const { output } = await bundle.generate({
    format: 'iife',
    name: 'housestyleFormats',
    minify: true,
    exports: 'named',
  })
  await bundle.close()
  const [{ code, moduleIds }] = output
  const packages = moduleIds.flatMap(id => /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [])
  return { script: code, packages: [...new Set(packages)].sort() }
}
