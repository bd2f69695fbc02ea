import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * Writes the software bill of materials (CycloneDX) of the package in the current folder: `node scripts/sbom.ts sbom.cdx.json`.
 */

type Component = { 'bom-ref': string; scope?: string; properties: { name: string }[] }
type Dependencies = { ref: string; dependsOn: string[] }
const DEVELOPMENT = 'cdx:npm:package:development'

/**
 * The bill of npm for the package in a folder: its production dependencies, and the development dependencies that the
 * build copies into it. The same lockfile and npm give the same bytes: npm's random serial number is left out, and its
 * time is `SOURCE_DATE_EPOCH` (seconds), or left out too.
 *
 * @param bundled names and versions of the copied packages, `name@version` each
 * @throws if a copied package is not in the lockfile
 */
export function sbomOf(folder: string, bundled: ReadonlySet<string> = new Set()): string {
  const { name, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const type = bin === undefined ? 'library' : 'application'
  const args = ['sbom', '--sbom-format=cyclonedx', `--sbom-type=${type}`, '--package-lock-only', '--include=dev']
  const { serialNumber: _, ...bill } = JSON.parse(
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 }),
  )
  const { timestamp: __, component, ...metadata } = bill.metadata
  const { SOURCE_DATE_EPOCH: seconds } = process.env
  const time = seconds === undefined ? {} : { timestamp: new Date(Number(seconds) * 1000).toISOString() }
  const components = selectShipped(bill.components, bundled)
  const kept = new Set([component['bom-ref'], ...components.map(each => each['bom-ref'])])
  const lost = [...bundled].filter(each => !kept.has(each))
  if (lost.length > 0) throw new Error(`the lockfile has no ${lost.join(', ')}: run npm ci`)
  const dependencies = bill.dependencies
    .filter(({ ref }: Dependencies) => kept.has(ref))
    .map(({ ref, dependsOn }: Dependencies) => ({ ref, dependsOn: dependsOn.filter(each => kept.has(each)) }))
  // npm takes the name of the folder.
  const about = { ...metadata, ...time, component: { ...component, name } }
  return `${JSON.stringify({ ...bill, metadata: about, components, dependencies }, null, 2)}\n`
}

/** The components that the package contains; a copied one is no longer for development only. */
function selectShipped(components: readonly Component[], bundled: ReadonlySet<string>): Component[] {
  return components.flatMap(component => {
    const properties = component.properties.filter(({ name }) => name !== DEVELOPMENT)
    if (bundled.has(component['bom-ref'])) return { ...component, scope: 'required', properties }
    return properties.length < component.properties.length ? [] : component
  })
}

if (import.meta.main) {
  const [file] = process.argv.slice(2)
  if (file === undefined) throw new Error('name the file to write: node scripts/sbom.ts sbom.cdx.json')
  writeFileSync(file, sbomOf(process.cwd()))
}
