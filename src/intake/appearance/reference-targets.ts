import type { Color } from '../../brand/color.ts'
import type { BrandFile } from '../../brand/file.ts'
import type { TypeStyle } from '../../brand/type-style.ts'

/** The parts of a project that its appearance may refer to. */
export type ReferenceTargets = {
  colors: readonly Color[]
  types: readonly TypeStyle[]
  files: readonly BrandFile[]
}
