import type { LintKind } from './file-kind.ts'
import type { Judgement } from './judge/judge.ts'
import type { LintBrand } from './lint-brand.ts'

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

/** What a file says; the file itself is the first of the files in it. Only CSS, SCSS, SVG and tokens have edits. */
export type LintAnswer = Judgement & {
  /** Whether it was read: JSON without design tokens is not. */
  isRead: boolean
  /** Paths of sheets that it needs, too; then the file is to be read again with them, and has no findings yet. */
  needs: readonly string[]
}
