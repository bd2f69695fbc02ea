import { readFile } from 'node:fs/promises'
import { CODE } from '#platform/base/own-files.ts'

/** The script of the editor: a file of the built package, bundled on first use when running from source. */
export const EDIT_SCRIPT = 'site/script/edited/edit.js'

let reading: Promise<string> | undefined
let script: string | undefined

/** Reads the script, which `editScript` then has. Pages of the editor await this. */
export async function readEditScript(): Promise<void> {
  reading ??= import.meta.url.endsWith('.ts') ? bundled() : readFile(new URL(EDIT_SCRIPT, CODE), 'utf8')
  script = await reading
}

/** The script; undefined before it is read. */
export function editScript(): string | undefined {
  return script
}

/** Imports by a computed address, so that the package contains neither the code nor the bundler. */
async function bundled(): Promise<string> {
  const module = await import(new URL('bundle-edit-script.ts', import.meta.url).href)
  return (await module.bundleEditScript()).script
}
