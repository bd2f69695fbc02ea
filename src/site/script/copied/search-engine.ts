import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { CODE } from '#platform/base/own-files.ts'

/**
 * The search of `src/delivery/search` as a classic script that defines `searchEngine`, because pages opened from a folder cannot
 * load modules. Requires the source, so the build writes the script into the package.
 */
export function searchEngine(): string {
  return `const searchEngine = (() => {
const lazy = (make, made) => () => (made ??= make())

${MODULES.map(scriptOf).join('\n\n')}

return { withHexColors, wordIndex, bestHits, highlight, snippet }
})()
`
}

/** They import only each other and `lazy`. Their top-level names differ, because the script joins them. */
const MODULES = ['color-query', 'words', 'word-index', 'best-entries', 'marked-text']

function scriptOf(module: string): string {
  const source = readFileSync(new URL(`delivery/search/${module}.ts`, CODE), 'utf8')
  return stripTypeScriptTypes(source)
    .replace(/^import [^']*'.*'$/gm, '')
    .replace(/^export /gm, '')
    .replace(/^ *\/\*\*[\s\S]*?\*\/$/gm, '')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
