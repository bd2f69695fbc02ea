import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/*
 * Makes the files of a release in a new folder and publishes nothing: `node scripts/release.ts release v0.1.0`. They are the packages of
 * the service and of the client, their bills of materials, the release notes and SHA256SUMS. Without a tag, it is a
 * rehearsal: its notes are the unreleased changes. Needs no network after `npm ci` and `npm ci --prefix client`.
 */
const root = dirname(import.meta.dirname)
const SBOM = 'package/dist/sbom.cdx.json'

const [name, tag] = process.argv.slice(2)
const problems = name === undefined ? ['name a folder: node scripts/release.ts release'] : problemsOf(tag)
if (name !== undefined && problems.length === 0) makeRelease(resolve(name), tag)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

function makeRelease(folder: string, tag: string | undefined): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const source of [root, join(root, 'client')])
    run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source })
  for (const archive of globSync('*.tgz', { cwd: folder })) {
    writeFileSync(
      join(folder, archive.replace(/tgz$/, 'cdx.json')),
      run('tar', ['-xzOf', archive, SBOM], { cwd: folder }),
    )
    // The path needs its dot: npm takes other words for the name of a package.
    run(
      'npm',
      ['publish', `./${archive}`, '--dry-run', '--offline', '--provenance=false', '--tag=rehearsal', '--silent'],
      {
        cwd: folder,
      },
    )
  }
  const changes = changesOf(tag) ?? ''
  writeFileSync(join(folder, 'notes.md'), tag === undefined ? changes : withLinksAt(tag, changes))
  const files = globSync('*.{tgz,cdx.json}', { cwd: folder }).sort()
  const sums = files.map(file => `${sha256(readFileSync(join(folder, file)))}  ${file}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  console.log(sums.join('').trimEnd())
}

/** Reasons not to release this commit, each with what to do. */
function problemsOf(tag: string | undefined): string[] {
  const [service, client, server] = ['package.json', 'client/package.json', 'server.json'].map(readJson)
  const versions = [client.version, server.version, ...server.packages.map((each: { version: string }) => each.version)]
  return [
    ...(versions.every(version => version === service.version)
      ? []
      : ['package.json, client/package.json and server.json have different versions: give them one']),
    ...(changesOf(tag) === undefined
      ? [`CHANGELOG.md has no section "## ${tag?.slice(1)}": name its changes there`]
      : []),
    ...(tag === undefined ? [] : problemsOfTag(tag, service, client)),
  ]
}

function problemsOfTag(
  tag: string,
  ...packages: readonly { name: string; version: string; repository?: unknown }[]
): string[] {
  return packages.flatMap(({ name, version, repository }) => [
    ...(tag === `v${version}` ? [] : [`the tag ${tag} is not the version of ${name}: tag v${version}`]),
    ...(repository === undefined
      ? [`${name} has no repository, which npm's provenance needs: add it to its package.json`]
      : []),
  ])
}

/** The section of CHANGELOG.md for a tag, or the unreleased changes, without its heading; undefined if it is missing. */
function changesOf(tag: string | undefined): string | undefined {
  const title = tag === undefined ? 'Unreleased' : tag.replace(/^v/, '')
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1)
  const section = sections.find(text => /^\[?([^\s\]]+)/.exec(text)?.[1] === title)
  return section === undefined ? undefined : `${section.replace(/^.*\n/, '').trim()}\n`
}

/** The changes with links to the files at a tag on GitHub, which also work on the page of the release. Code is unchanged. */
function withLinksAt(tag: string, changes: string): string {
  const { repository } = readJson('package.json')
  const [, name] = /([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(repository.url ?? repository) ?? []
  const start = `](https://github.com/${name}/blob/${tag}/`
  return changes.replaceAll(/`[^`]*`|\]\((?![a-z]+:|#)/g, found => (found === '](' ? start : found))
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function run(program: string, args: readonly string[], { cwd }: { cwd: string }): string {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
