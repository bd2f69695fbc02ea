import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The licenses of the scripts: of the library, and of the packages in our formats. */
export function licenses(packages: readonly string[]): string {
  return textOf([
    ['sveltia-cms.js: Sveltia CMS, with changes', '@sveltia/cms'],
    ...packages.map((name): License => [`formats.js: contains ${name}`, name]),
  ])
}

/** The licenses of the fonts, of which the folder contains parts. */
export function fontLicenses(): string {
  return textOf([
    ['text.woff2 and text-extended.woff2: parts of Source Sans 3', '@fontsource-variable/source-sans-3'],
    ['code.woff2: a part of Noto Mono', '@fontsource/noto-mono'],
    ['icons.woff2: a part of Material Symbols Outlined', '@material-symbols/font-300'],
  ])
}

/** A heading, and the package whose license follows. */
type License = readonly [heading: string, name: string]

function textOf(rows: readonly License[]): string {
  return rows.map(([heading, name]) => `${heading}\n${'='.repeat(heading.length)}\n\n${licenseOf(name)}\n`).join('\n\n')
}

function licenseOf(name: string): string {
  const folder = fileURLToPath(new URL(`../../../node_modules/${name}/`, import.meta.url))
  const [file] = globSync('LICEN[SC]E*', { cwd: folder })
  if (file === undefined) throw new Error(`${name} has no license file: replace it`)
  return readFileSync(join(folder, file), 'utf8').trim()
}
