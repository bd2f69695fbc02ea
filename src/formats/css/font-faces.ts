import type { CssSheet, Declaration } from './cascade.ts'

/** An `@font-face` of a sheet: its family, and its sources, as written. */
export type WrittenFace = { family: string; sources: string[]; sheet: CssSheet | undefined }

/** Whether a property says what a font is called, or where it is. */
export function isFaceProperty(name: string, block: { name: string }): boolean {
  return block.name === 'font-face' && (name === 'font-family' || name === 'src')
}

/** The faces among declarations, in order. */
export function fontFaces(declarations: readonly Declaration[]): WrittenFace[] {
  const faces = Map.groupBy(
    declarations.filter(({ name, block }) => isFaceProperty(name, block)),
    ({ block }) => block,
  )
  return Array.from(faces.values(), own => {
    const valuesOf = (property: string) => own.flatMap(({ name, value }) => (name === property ? [value] : []))
    return { family: valuesOf('font-family').at(-1) ?? '', sources: valuesOf('src'), sheet: own[0]?.sheet }
  })
}
