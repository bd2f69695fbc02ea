import assert from 'node:assert/strict'
import { type FoundStyles, noteLines } from '../../src/conversion/found-styles.ts'
import { type GuideStyles, guideStyles } from '../../src/conversion/guide-styles.ts'
import { readSource } from '../../src/conversion/source.ts'

/** Converts files of other tools to styles, with one line for each note. Fails if a file cannot be read. */
export function converted(...files: readonly (string | Uint8Array | object)[]): GuideStyles & { notes: string[] } {
  const found = files.map(foundIn)
  const styles = guideStyles(found)
  assert.ok(styles.ok, styles.ok ? '' : styles.problem)
  return { ...styles.value, notes: found.flatMap(({ notes }) => noteLines(notes)) }
}

function foundIn(file: string | Uint8Array | object): FoundStyles {
  const text = typeof file === 'string' ? file : JSON.stringify(file)
  const read = readSource(file instanceof Uint8Array ? file : new TextEncoder().encode(text))
  assert.ok(read.ok, read.ok ? '' : read.problem.message)
  return read.value
}

/** The name and hex of each colour: `ink #16202c`. */
export function namesAndHexes({ colors }: GuideStyles): string[] {
  return colors.map(({ name, hex }) => `${name} ${hex}`)
}
