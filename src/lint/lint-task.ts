import type { Edit } from './edit.ts'
import type { LintKind } from './file-kind.ts'
import type { LintFinding } from './finding.ts'
import type { LintBrand } from './lint-brand.ts'
import type { FileUse, Place } from './use.ts'

/** A file to read. `path` is relative to the folder that style sheets may be in, with `/`. */
export type LintTask = {
  path: string
  kind: LintKind
  brand: LintBrand
  /** The sheets that it asked for, by path in the folder; null if there is none. Absent if no links are followed. */
  sheets?: ReadonlyMap<string, string | null>
}

/** The messages to the process: the bytes of a file, and then the task. */
export type LintMessage = { bytes: Uint8Array } | LintTask

/** What a file says. A file without design tokens that may have had some is not read. */
export type LintAnswer = {
  isRead: boolean
  /** In the order of the file, with the path of the task. */
  findings: readonly LintFinding[]
  /** Replacements that make almost right colours right; only for CSS, SCSS, SVG and tokens. */
  edits: readonly Edit[]
  /** The file itself, and the files in it. */
  files: readonly (FileUse & Place)[]
  /** Paths of sheets that it needs, too; then the file is to be read again with them, and has no findings yet. */
  needs: readonly string[]
}
