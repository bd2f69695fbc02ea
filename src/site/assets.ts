import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { etagOf } from '../exchange/etag.ts'
import type { Representation } from '../serving/response-cache.ts'

/** The style sheets and the script of the website; their addresses name their content, so that they can be kept for good. */
export type Assets = {
  /** Whether pages listen to what changes, as those of `dev` do. */
  isLive: boolean
  /** The address of an asset, as a path. */
  path: (name: AssetName) => string
  /** What a browser is to hold the bytes of an asset to (Subresource Integrity §3.1). */
  integrity: (name: AssetName) => string
  /** An asset by its path below the service; undefined where there is none. */
  find: (path: string) => Representation | undefined
}

/** What each asset is put together from, in this order, and its type. */
const ASSETS = {
  'site.css': {
    type: 'text/css',
    parts: ['css/base.css', 'css/frame.css', 'css/navigation.css', 'css/copy.css', 'css/search.css'],
  },
  'page.css': { type: 'text/css', parts: ['css/prose.css', 'css/page.css', 'css/cards.css'] },
  'results.css': { type: 'text/css', parts: ['css/results.css'] },
  'colors.css': { type: 'text/css', parts: ['css/values.css', 'css/colors.css', 'css/contrast.css', 'css/page.css'] },
  'type.css': { type: 'text/css', parts: ['css/values.css', 'css/type.css', 'css/page.css'] },
  'files.css': { type: 'text/css', parts: ['css/files.css'] },
  'docs.css': { type: 'text/css', parts: ['css/docs.css'] },
  'site.js': {
    type: 'text/javascript',
    parts: ['script/theme.js', 'script/copy.js', 'script/files.js', 'script/search.js'],
  },
  'icon.svg': { type: 'image/svg+xml', parts: ['icon.svg'] },
} as const

/** What pages have besides where they listen to what changes. */
const LIVE_ASSETS = {
  'dev.css': { type: 'text/css', parts: ['css/dev.css'] },
  'dev.js': { type: 'text/javascript', parts: ['script/dev.js'] },
} as const

type AssetName = keyof typeof ASSETS | keyof typeof LIVE_ASSETS

/** Reads the assets; `base` is the path of the public URL, without a slash at its end. */
export function openAssets(base: string, isLive = false): Assets {
  const [paths, digests] = [new Map<string, string>(), new Map<string, string>()]
  const assets = new Map<string, Representation>()
  for (const [name, { type, parts }] of Object.entries({ ...ASSETS, ...(isLive && LIVE_ASSETS) })) {
    const bytes = new TextEncoder().encode(parts.map(readCompact).join(''))
    const path = `/assets/${etagOf(bytes).slice(1, 13)}/${name}`
    paths.set(name, `${base}${path}`)
    digests.set(name, `sha256-${createHash('sha256').update(bytes).digest('base64')}`)
    assets.set(path, { bytes, type: ['Content-Type', `${type}; charset=utf-8`], about: FOR_GOOD })
  }
  const about = { path: (name: string) => paths.get(name) ?? '', integrity: (name: string) => digests.get(name) ?? '' }
  return { isLive, ...about, find: path => assets.get(path) }
}

const FOR_GOOD = ['Cache-Control', 'public, max-age=31536000, immutable', 'Vary', 'Accept-Encoding'] as const

/** A part without what only its authors need: indentation, and in a style sheet white space and the last semicolons. */
function readCompact(part: string): string {
  const text = readFileSync(new URL(part, import.meta.url), 'utf8').replace(/^\s+/gm, '')
  return part.endsWith('.css') ? text.replace(/\s*([{};,])\s*/g, '$1').replace(/;(?=})|(?<=:) /g, '') : text
}
