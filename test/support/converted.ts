import assert from 'node:assert/strict'
import { type GuideStyles, guideStyles } from '#adopt/conversion/guide-styles.ts'
import { readSources, type SourceProblem } from '#adopt/conversion/source.ts'
import { type FoundStyles, noteLines } from '#brand/tokens/found-styles.ts'
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
  return Object.fromEntries(Object.entries(readFiles(Object.entries(files))).filter(([, list]) => list.length > 0))
}

function readFiles(files: readonly [path: string, file: File][]) {
  const reads = readSources(files.map(([path, file]) => ({ path, bytes: bytesOf(file) })))
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
