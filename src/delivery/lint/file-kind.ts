import { filename } from '#brand/file.ts'
import { wordTable } from '#platform/base/text.ts'

/** A kind of file that lint reads; other files are only compared with files of the brand, a picture by its ink, too. */
export type LintKind = 'css' | 'scss' | 'html' | 'svg' | 'markdown' | 'text' | 'office' | 'pdf' | 'tokens' | 'json'

/** The kinds of content that agents send. */
export const CONTENT_KINDS = ['css', 'html', 'svg', 'text'] as const satisfies readonly LintKind[]

/** The kind of a file by its name; undefined if it is only compared. JSON is read if it has design tokens or is a web manifest. */
export function kindOf(path: string): LintKind | undefined {
  return valueFor(path, KINDS)
}

/**
 * The value that a table has for a file: for `Colors.tokens.json` by `colors.tokens.json`, `.tokens.json` or `.json`, the
 * first of them in the table.
 */
function valueFor<Value>(path: string, table: ReadonlyMap<string, Value>): Value | undefined {
  // `colors`, `.tokens` and `.json`.
  const parts = filename(path)
    .toLowerCase()
    .split(/(?=\.)/)
  const ends = [parts, parts.slice(-2), parts.slice(-1)].map(each => each.join(''))
  return ends.map(end => table.get(end)).find(value => value !== undefined)
}

/** The colour of a tile is in an element that HTML does not know, in `browserconfig.xml`. */
const KINDS = wordTable<LintKind>([
  ['css', '.css'],
  ['scss', '.scss'],
  ['html', '.html .htm .xhtml .xhtm browserconfig.xml'],
  ['svg', '.svg'],
  ['markdown', '.md .markdown'],
  ['office', '.pptx .pptm .ppsx .ppsm .potx .potm .docx .docm .dotx .dotm'],
  // Adobe Illustrator saves a PDF, unless somebody turns that off.
  ['pdf', '.pdf .ai'],
  ['tokens', '.tokens .tokens.json tokens.json'],
  ['json', '.json .webmanifest'],
])

/** The names of files whose ink is compared with the logos of the brand. */
export const PICTURE_NAME = /\.(?:svg|png|jpe?g|webp|gif)$/i

/** Why a file of a name is not read, and what to do. */
export function whyUnread(path: string): string {
  const fix = valueFor(path, FIXES) ?? 'leave it out'
  return kindOf(path) === 'json'
    ? `is not read, because it has no typed design tokens and no colours of a web manifest: end its name in .tokens.json, or ${fix}`
    : `is not of a kind that is read, so it is only compared with old files of the brand: ${fix}`
}

const FIXES = wordTable([
  ['save it as .pptx', '.odp .otp .fodp .ppt .pps .pot .key'],
  ['save it as .docx', '.odt .ott .fodt .doc .dot .rtf .pages'],
  ['name the CSS that it is compiled to', '.less .sass .styl'],
  ['name the file that it is made from', '.eps .indd'],
])

/** The kinds that are not text. */
export type BinaryKind = keyof typeof BINARY_BYTES

/** The most bytes of a file that is read: 20 MiB of text, more of other kinds. */
export function maxBytesOf(kind: LintKind): number {
  return isBinary(kind) ? BINARY_BYTES[kind] : 20 << 20
}

export function isBinary(kind: LintKind): kind is BinaryKind {
  return kind in BINARY_BYTES
}

const BINARY_BYTES = { office: 200 << 20, pdf: 48 << 20 } as const satisfies { [Kind in LintKind]?: number }
