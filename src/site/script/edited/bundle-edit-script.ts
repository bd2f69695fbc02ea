import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { CODE } from '#platform/base/own-files.ts'

/** A script, and the modules whose code it contains. */
type Bundle = { script: string; modules: readonly string[] }

/** Bundles the modules in `src/people/editor/script` into a classic script for browsers. */
export async function bundleEditScript(): Promise<Bundle> {
  const input = fileURLToPath(new URL('people/editor/script/edit.ts', CODE))
  const bundle = await rolldown({ input, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  const [{ code, moduleIds }] = output
  return { script: code, modules: moduleIds }
}
