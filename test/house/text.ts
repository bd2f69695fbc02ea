import { LANGUAGES } from '#brand/languages.ts'
import type { Source } from './modules.ts'

/** Files that may be longer than 400 lines, each with the reason. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'client/src/openapi.ts': 'it is generated',
  'src/brand/finding.ts': 'it is the one table of rules',
  'src/program/cli/commands.ts': 'it is the one table of commands',
  'src/brand/failure-codes.json': 'it is the one table of command failures',
  'src/formats/font/character-names.txt': 'it is the one table of character names',
  'src/platform/settings/table.ts': 'it is the one table of settings',
  'src/site/words/en.ts': 'it is the one table of words in English',
  ...Object.fromEntries(
    LANGUAGES.map(lang => [`src/site/words/${lang}.json`, 'it is the one table of words in its language']),
  ),
}

/** Linter rules that src may suppress: `path rule` and the reason. */
const ALLOWED_SUPPRESSIONS: Readonly<Record<string, string>> = {
  'src/platform/exchange/target.ts lint/suspicious/noControlCharactersInRegex':
    'it matches all of ASCII to find other characters',
  'src/site/css/frame/navigation.css lint/correctness/noUnknownProperty':
    'the linter does not know a property of CSS Scroll Snap 2',
}

/** Files over 400 lines that `LONG_FILES` does not name. */
export function findLongFiles(sources: readonly Source[]): string[] {
  return sources
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ path, lines }) => lines > 400 && !Object.hasOwn(LONG_FILES, path))
    .map(({ path, lines }) => `${path} has ${lines} lines: split it, or add it to LONG_FILES with the reason`)
}

/** Suppressed rules of the linter or the compiler without an entry in `ALLOWED_SUPPRESSIONS`. */
export function findSuppressions(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/biome-ignore\S*\s+([^\s:]+)|@ts-(?:expect-error|nocheck)/g)]
      .map(([whole, rule]) => `${path} ${rule ?? whole}`)
      .filter(place => !Object.hasOwn(ALLOWED_SUPPRESSIONS, place))
      .map(place => `${place} is suppressed: follow the rule, or add it to ALLOWED_SUPPRESSIONS with the reason`),
  )
}

/** Names of files and folders that do not describe their contents. */
export function findVagueNames(paths: readonly string[]): string[] {
  return paths
    .filter(path => /[/-](?:utils?|helpers?|common|managers?|misc)(?=[/.-])|\/index\.ts$/.test(path))
    .map(path => `${path}: name it after its one subject`)
}

/** Open questions left in the code. */
export function findOpenQuestions(sources: readonly Source[]): string[] {
  return lines(sources, /\b(?:TO[D]O|FIX[M]E|X{3})\b/).map(
    place => `${place}: resolve it, or record it in docs/decisions/`,
  )
}

/** Folders and package hosts that other machines do not have. */
export function findMachinePaths(sources: readonly Source[]): string[] {
  const folder = /(?<![\w.:/-])\/(?:work|farm|root|home\/\w+|tmp\/\w+[/-]\w{6})\//
  const host =
    /\bregistry\.(?:npmjs|yarnpkg)\.\w+|\b(?:deb|security|archive)\.(?:debian|ubuntu)\.\w+|"resolved":\s*"http/
  return lines(sources, new RegExp(`${folder.source}|${host.source}`)).map(
    place => `${place}: remove the machine's path or package host`,
  )
}

/** Decision records that lack a part, or whose title and file name have different numbers. */
export function findIncompleteDecisions(decisions: readonly Source[]): string[] {
  return decisions.flatMap(({ path, text }) => {
    const number = Number(/(\d{4})-[^/]*$/.exec(path)?.[1])
    return [`# ${number}. `, '- Subject: ', '- Status: ', '## Context\n', '## Choice\n', '## Consequences\n']
      .filter(start => !`\n${text}`.includes(`\n${start}`))
      .map(start => `${path} has no line that starts with "${start.trim()}"`)
  })
}

/** Decision records that no file names, and names of records that do not exist. */
export function findUnnamedDecisions(records: readonly Source[], others: readonly Source[]): string[] {
  const numbers = new Set(records.map(({ path }) => /\d{4}/.exec(path)?.[0] ?? path))
  const names = others.flatMap(({ path, text }) =>
    [...text.matchAll(/\bdecisions\/(\d+)/g)].map(([, number = '']) => ({ path, number })),
  )
  const named = new Set(names.map(({ number }) => number))
  const missing = names.filter(({ number }) => !numbers.has(number))
  return [
    ...missing.map(({ path, number }) => `${path} names the missing record decisions/${number}`),
    ...[...numbers.difference(named)].map(
      number => `decisions/${number}: name it where its choice is made, or delete it`,
    ),
  ]
}

function lines(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => {
      const found = pattern.exec(line)
      return found === null ? [] : [`${path}:${at + 1} "${found[0]}"`]
    }),
  )
}
