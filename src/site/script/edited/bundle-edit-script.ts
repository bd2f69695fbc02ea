import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { CODE } from '#platform/base/own-files.ts'

/** A script, and the modules whose code it contains. */
type Bundle = { script: string; modules: readonly string[] }

/** Bundles the modules in `src/people/editor/script` into a classic script for browsers; fails if one is not found. */
export async function bundleEditScript(): Promise<Bundle> {
  const input = fileURLToPath(new URL('people/editor/script/edit.ts', CODE))
  const onLog = (_: string, { code, message }: { code?: string; message: string }) => {
    if (code === 'UNRESOLVED_IMPORT') throw new Error(`cannot bundle the script of the editor: ${message}`)
  }
  const bundle = await rolldown({ input, platform: 'browser', onLog })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  const [{ code, moduleIds }] = output
  return { script: code, modules: moduleIds }
}
