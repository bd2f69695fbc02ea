import { dirname } from 'node:path/posix'
import type { Source } from './modules.ts'

/**
 * The packages that read a format from text or bytes, and the folders of `src/formats` that import them. Other modules
 * may build and walk their trees: of a package with names, only the named functions read.
 */
const READERS: Readonly<Record<string, { in: string; names?: readonly string[] }>> = {
  '@csstools/css-tokenizer': { in: 'css', names: ['tokenize', 'tokenizer'] },
  '@embedpdf/pdfium': { in: 'pdf' },
  '@jsquash/jpeg/decode.js': { in: 'picture' },
  '@jsquash/png/decode.js': { in: 'picture' },
  '@jsquash/webp/decode.js': { in: 'picture' },
  '@lezer/markdown': { in: 'markdown' },
  '@resvg/resvg-wasm': { in: 'picture' },
  acorn: { in: 'json markdown' },
  'acorn-jsx': { in: 'json markdown' },
  'csv-parse': { in: 'palette' },
  exifr: { in: 'picture' },
  'file-type': { in: 'picture' },
  fontkitten: { in: 'font' },
  harfbuzzjs: { in: 'font' },
  'hast-util-from-parse5': { in: 'html' },
  'image-size': { in: 'picture' },
  liquidjs: { in: 'liquid' },
  mammoth: { in: 'html' },
  'mdast-util-from-markdown': { in: 'markdown' },
  'mdast-util-mdx-expression': { in: 'markdown' },
  'mdast-util-mdx-jsx': { in: 'markdown' },
  'micromark-extension-cjk-friendly': { in: 'markdown' },
  'micromark-extension-cjk-friendly-gfm-strikethrough': { in: 'markdown' },
  'micromark-extension-cjk-friendly-util': { in: 'markdown' },
  'micromark-extension-mdx-expression': { in: 'markdown' },
  'micromark-extension-mdx-jsx': { in: 'markdown' },
  parse5: { in: 'html', names: ['parse', 'parseFragment', 'Parser', 'Tokenizer'] },
  'rehype-raw': { in: 'markdown' },
  'remark-gfm': { in: 'markdown' },
  'remark-parse': { in: 'markdown' },
  sass: { in: 'css', names: ['compileString'] },
  saxes: { in: 'xml' },
  'smol-toml': { in: 'toml', names: ['parse'] },
  'woff2-encoder': { in: 'font' },
  yaml: {
    in: 'yaml',
    names: 'parse parseDocument parseAllDocuments Composer Lexer Parser CST LineCounter'.split(' '),
  },
  yauzl: { in: 'zip' },
}

/** Describes each import of a reader outside of its folder in `src/formats`. */
export function findStrayReaders(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    valuesImported(text).flatMap(({ name, values }) => {
      const owner = Object.entries(READERS).find(([key]) => name === key || name.startsWith(`${key}/`))?.[1]
      const isReader = values.some(value => value === '*' || (owner?.names?.includes(value) ?? true))
      const isOwn = owner?.in.split(' ').includes(dirname(path).replace(/^src\/formats\/([^/]*).*/, '$1'))
      if (!owner || !isReader || isOwn) return []
      return [`${path} reads with ${name}: use or add a reader in src/formats/${owner.in.replaceAll(' ', ' or ')}`]
    }),
  )
}

/** The packages that a file imports, with the names of their values; `*` for a whole package. */
function valuesImported(text: string): { name: string; values: string[] }[] {
  const all = text.matchAll(/^import\s+(?!type\s)(?<what>[^'";]+?)\s+from\s+'(?<name>[^'.#][^']*)'/gm)
  const lazy = text.matchAll(/\bimport\(\s*'(?<name>[^'.#][^']*)'/g)
  return [...all, ...lazy].map(({ groups: { what = '*', name = '' } = {} }) => {
    const [, before = '', listed = ''] = /^([^{]*)(?:\{([^}]*)\})?/.exec(what) ?? []
    const named = listed.split(',').map(each => each.trim().replace(/\s+as\s.*/, ''))
    const values = named.filter(each => each !== '' && !each.startsWith('type '))
    return { name, values: before.trim() === '' ? values : ['*', ...values] }
  })
}
