import { lineCounter } from '#platform/base/text.ts'

/** A variable in a file of Sass: the file, the line, and the value as written. */
export type VariablePlace<File> = { file: File; name: string; line: number; written: string }

/** The places at which files set variables: first all with a value that counts, then those with a default. */
export function placesOf<File extends { source: string }>(files: readonly File[]): VariablePlace<File>[] {
  const places = files.flatMap(file => {
    const lineAt = lineCounter(file.source)
    return Array.from(file.source.matchAll(VARIABLE), ({ 1: name = '', 2: value = '', index }) => ({
      file,
      name: name.startsWith('$') ? name.replaceAll('_', '-') : name,
      line: lineAt(index),
      written: value.trim(),
    }))
  })
  const isDefault = ({ written }: VariablePlace<File>) => Number(written.includes('!default'))
  return places.sort((one, other) => isDefault(one) - isDefault(other))
}

/** `$sea: #0b4f6c`, also in `with ($sea: #0b4f6c)`. */
const VARIABLE = /(?<![\w$-])([$-][\w-]{1,100})\s{0,9}:([^;{}\n]*)/g
