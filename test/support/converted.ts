import assert from 'node:assert/strict'
import { type GuideStyles, guideStyles } from '#adopt/conversion/guide-styles.ts'
import { readSources, type Source, type SourceProblem } from '#adopt/conversion/source.ts'
import { compileSheets } from '#adopt/conversion/style-sheets/compile-sheets.ts'
import { type FoundStyles, noteLines } from '#brand/tokens/found-styles.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import type { Result } from '#platform/base/result.ts'

type File = string | Uint8Array | object

/** Converts files of other tools to styles, with one line for each note. Fails if a file cannot be read. */
export function converted(...files: readonly File[]): GuideStyles & { notes: string[] } {
  return convertedFiles(files.map((file, at) => [`file-${at}`, file]))
}

/** Converts files at paths in the same way. */
export function convertedFiles(files: readonly [path: string, file: File][]): GuideStyles & { notes: string[] } {
  const { problems, ...styles } = readFiles(files)
  assert.deepEqual(problems, [])
  return styles
}

/** The styles of files by path, notes on them, and why others cannot be read, for a golden file. */
export function stylesOf({ files }: { files: Readonly<Record<string, string | object>> }): object {
  return withoutEmpty(readFiles(Object.entries(files)))
}

function withoutEmpty(lists: Readonly<Record<string, readonly unknown[]>>): object {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0))
}

/** The same, of files that Sass compiles. */
export async function compiledStylesOf({ files }: { files: Readonly<Record<string, string>> }): Promise<object> {
  const sources = Object.entries(files).map(([path, file]) => ({ path, bytes: bytesOf(file) }))
  const sass = await compileSheets(sources)
  return withoutEmpty(readAll(sources.map((source, at) => withoutUndefined({ ...source, sass: sass[at] }))))
}

function readFiles(files: readonly [path: string, file: File][]) {
  return readAll(files.map(([path, file]) => ({ path, bytes: bytesOf(file) })))
}

function readAll(sources: readonly Source[]) {
  const reads = readSources(sources)
  const found = reads.flatMap(read => (read.ok ? [read.value] : []))
  const problems = reads.flatMap(read => (read.ok ? [] : [`${read.problem.kind}: ${read.problem.message}`]))
  const styles = guideStyles(found)
  assert.ok(styles.ok, styles.ok ? '' : styles.problem)
  return { ...styles.value, notes: found.flatMap(({ notes }) => noteLines(notes)), problems }
}

/** Reads one file. */
export function readSource(bytes: Uint8Array): Result<FoundStyles, SourceProblem> {
  const [read] = readSources([{ path: 'file', bytes }])
  assert.ok(read)
  return read
}

function bytesOf(file: File): Uint8Array {
  if (file instanceof Uint8Array) return file
  return new TextEncoder().encode(typeof file === 'string' ? file : JSON.stringify(file))
}

/** The name and hex of each colour: `ink #16202c`. */
export function namesAndHexes({ colors }: GuideStyles): string[] {
  return colors.map(({ name, hex }) => `${name} ${hex}`)
}
