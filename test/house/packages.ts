/** Dependencies without a row in docs/dependencies.md, and rows without a dependency. */
export function findUnexplained(dependencies: readonly string[], page: string): string[] {
  const rows = [...page.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name]) => name ?? '')
  return [
    ...dependencies.filter(name => !rows.includes(name)).map(name => `${name} has no row in docs/dependencies.md`),
    ...rows
      .filter((name, at) => !dependencies.includes(name) || rows.indexOf(name) < at)
      .map(name => `docs/dependencies.md: the row ${name} matches no dependency, or repeats one: remove it`),
  ]
}

/**
 * Optional packages that the lockfile requires but does not contain. npm omits packages of other platforms that its
 * registry lacks, and then refuses a clean install on every machine.
 */
export function findUnlocked(lock: {
  packages: Readonly<Record<string, { optionalDependencies?: Readonly<Record<string, string>> }>>
}): string[] {
  return Object.values(lock.packages)
    .flatMap(({ optionalDependencies }) => Object.entries(optionalDependencies ?? {}))
    .filter(([name]) => !Object.hasOwn(lock.packages, `node_modules/${name}`))
    .map(([name, version]) => `package-lock.json has no entry for ${name} ${version}: restore it`)
}
