import type { Source } from './rooms.ts'

/** Files of src that may be longer than 250 lines, each with the reason. */
const LONG: Readonly<Record<string, string>> = {
  'src/brand/finding.ts': 'it is the one table of rules',
  'src/cli/commands.ts': 'it is the one table of commands',
  'src/cli/failure-codes.ts': 'it is the one table of why a command fails',
  'src/settings/table.ts': 'it is the one table of settings',
  ...Object.fromEntries(
    ['de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pt'].map(lang => [
      `src/site/words/${lang}.ts`,
      'it is the one table of the words of a language',
    ]),
  ),
}

/** Rules of the linter that src may set aside, `path rule`, each with the reason. */
const EXCUSED: Readonly<Record<string, string>> = {
  'src/exchange/target.ts lint/suspicious/noControlCharactersInRegex': 'it names all of ASCII, to find what is not',
}

/** Files of src over 250 lines that `LONG` does not name. */
export function tooLong(sources: readonly Source[]): string[] {
  return sources
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ path, lines }) => lines > 250 && !Object.hasOwn(LONG, path))
    .map(({ path, lines }) => `${path} has ${lines} lines: make it two files, or name it in LONG with the reason`)
}

/** Places where src sets a rule of the linter or of the compiler aside without an entry in `EXCUSED`. */
export function unexcused(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/biome-ignore\S*\s+([^\s:]+)|@ts-(?:expect-error|nocheck)/g)]
      .map(([whole, rule]) => `${path} ${rule ?? whole}`)
      .filter(place => !Object.hasOwn(EXCUSED, place))
      .map(place => `${place} is set aside: keep to the rule, or name it in EXCUSED with the reason`),
  )
}

/** Names of files and folders that say nothing of what is in them. */
export function empty(paths: readonly string[]): string[] {
  return paths
    .filter(path => /[/-](?:utils?|helpers?|common|managers?|misc)(?=[/.-])|\/index\.ts$/.test(path))
    .map(path => `${path}: name it for the one idea that is in it`)
}

/** Open questions left in the code. */
export function leftOver(sources: readonly Source[]): string[] {
  return lines(sources, /\b(?:TO[D]O|FIX[M]E|X{3})\b/).map(
    place => `${place}: settle it, or write it down in docs/decisions/`,
  )
}

/** Folders of one machine, and addresses of package hosts: another machine has others. */
export function machineBound(sources: readonly Source[]): string[] {
  const folder = /(?<![\w.:/-])\/(?:work|farm|root|home\/\w+|tmp\/\w+[/-]\w{6})\//
  const host =
    /\bregistry\.(?:npmjs|yarnpkg)\.\w+|\b(?:deb|security|archive)\.(?:debian|ubuntu)\.\w+|"resolved":\s*"http/
  return lines(sources, new RegExp(`${folder.source}|${host.source}`)).map(
    place => `${place}: no path of a machine and no package host belongs here`,
  )
}

/** Decision records that lack a part, or whose title has another number than their file. */
export function undecided(decisions: readonly Source[]): string[] {
  return decisions.flatMap(({ path, text }) => {
    const number = Number(/(\d{4})-[^/]*$/.exec(path)?.[1])
    return [`# ${number}. `, '- Subject: ', '- Status: ', '## Context\n', '## Choice\n', '## Consequences\n']
      .filter(start => !`\n${text}`.includes(`\n${start}`))
      .map(start => `${path} has no line that starts with "${start.trim()}"`)
  })
}

function lines(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => {
      const found = pattern.exec(line)
      return found === null ? [] : [`${path}:${at + 1} "${found[0]}"`]
    }),
  )
}
