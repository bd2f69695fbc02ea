import { basename, extname } from 'node:path/posix'

/** A kind of file that lint reads; other files are only compared with earlier files of the brand. */
export type LintKind = 'css' | 'scss' | 'html' | 'svg' | 'markdown' | 'text' | 'office' | 'tokens' | 'json'

/** The kinds of content that agents send. */
export const CONTENT_KINDS = ['css', 'html', 'svg', 'text'] as const satisfies readonly LintKind[]

/** The kind of a file by its name; undefined if it is only compared. JSON is read if it has design tokens. */
export function kindOf(path: string): LintKind | undefined {
  const name = basename(path).toLowerCase()
  if (name === 'tokens.json' || name.endsWith('.tokens.json')) return 'tokens'
  return KINDS.get(extname(name))
}

const KINDS: ReadonlyMap<string, LintKind> = new Map([
  ['.css', 'css'],
  ['.scss', 'scss'],
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.xhtml', 'html'],
  ['.svg', 'svg'],
  ['.md', 'markdown'],
  ['.markdown', 'markdown'],
  ['.pptx', 'office'],
  ['.potx', 'office'],
  ['.docx', 'office'],
  ['.dotx', 'office'],
  ['.tokens', 'tokens'],
  ['.json', 'json'],
])

/** The most bytes of a file that is read: 20 MiB of text, 200 MiB of an Office file. */
export function maxBytesOf(kind: LintKind): number {
  return kind === 'office' ? 200 << 20 : 20 << 20
}
