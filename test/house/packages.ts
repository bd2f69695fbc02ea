/** Dependencies without a row in docs/dependencies.md, and rows without a dependency. */
export function unexplained(dependencies: readonly string[], page: string): string[] {
  const rows = [...page.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name]) => name ?? '')
  return [
    ...dependencies.filter(name => !rows.includes(name)).map(name => `${name} has no row in docs/dependencies.md`),
    ...rows
      .filter((name, at) => !dependencies.includes(name) || rows.indexOf(name) < at)
      .map(name => `docs/dependencies.md: the row ${name} is of nothing in package.json, or its second: remove it`),
  ]
}

/**
 * Packages that the lockfile asks for and does not hold: npm leaves those of other platforms out where its registry
 * lacks them, and then refuses a clean install everywhere.
 */
export function unlocked(lock: {
  packages: Readonly<Record<string, { optionalDependencies?: Readonly<Record<string, string>> }>>
}): string[] {
  return Object.values(lock.packages)
    .flatMap(({ optionalDependencies }) => Object.entries(optionalDependencies ?? {}))
    .filter(([name]) => !Object.hasOwn(lock.packages, `node_modules/${name}`))
    .map(([name, version]) => `package-lock.json has no entry for ${name} ${version}: put back the one it had`)
}
