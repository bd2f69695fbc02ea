import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { etagOf } from '../exchange/etag.ts'
import type { Representation } from '../serving/replies/response-cache.ts'

/**
 * The style sheets and scripts of the website; their addresses name their content, so that caches may keep them for
 * good.
 */
export type Assets = {
  /** Whether pages listen to changes, as those of `dev` do. */
  isLive: boolean
  /** Whether pages are copied to a folder, from which a browser opens them without a service. */
  isCopied: boolean
  /** The address of an asset, as a path. */
  path: (name: AssetName) => string
  /** The hash that a browser checks an asset against (Subresource Integrity §3.1). */
  integrity: (name: AssetName) => string
  /** An asset by its path below the service; undefined if there is no such asset. */
  find: (path: string) => Representation | undefined
}

/** The type of each asset, and the files that it is joined from, in this order. */
const ASSETS = {
  'site.css': {
    type: 'text/css',
    files: [
      'css/frame/scheme.css',
      'css/base.css',
      'css/frame/header.css',
      'css/frame/frame.css',
      'css/frame/navigation.css',
    ],
  },
  'trail.css': { type: 'text/css', files: ['css/frame/trail.css'] },
  'search.css': { type: 'text/css', files: ['css/search/search.css'] },
  'page.css': { type: 'text/css', files: ['css/forms/prose.css', 'css/pages/neighbours.css'] },
  'thumbs.css': { type: 'text/css', files: ['css/cards/thumbs.css'] },
  'faces.css': { type: 'text/css', files: ['css/cards/faces.css'] },
  'cells.css': { type: 'text/css', files: ['css/cards/cells.css'] },
  'schemes.css': { type: 'text/css', files: ['css/forms/schemes.css'] },
  'exports.css': { type: 'text/css', files: ['css/copied.css', 'css/pages/exports.css'] },
  'wide.css': { type: 'text/css', files: ['css/frame/wide.css'] },
  'cards.css': { type: 'text/css', files: ['css/cards/cards.css'] },
  'home.css': { type: 'text/css', files: ['css/cards/cards.css', 'css/pages/glances.css'] },
  'alone.css': { type: 'text/css', files: ['css/pages/neighbours.css', 'css/cards/cards.css', 'css/pages/alone.css'] },
  'pictures.css': { type: 'text/css', files: ['css/forms/pictures.css'] },
  'picture-grids.css': { type: 'text/css', files: ['css/forms/picture-grids.css', 'css/forms/judged.css'] },
  'labelled.css': { type: 'text/css', files: ['css/forms/labelled.css'] },
  'tables.css': { type: 'text/css', files: ['css/forms/tables.css'] },
  'code.css': { type: 'text/css', files: ['css/copied.css', 'css/copy.css', 'css/forms/code.css'] },
  'rare.css': { type: 'text/css', files: ['css/forms/rare.css'] },
  'callouts.css': { type: 'text/css', files: ['css/forms/callouts.css'] },
  'tabs.css': { type: 'text/css', files: ['css/forms/tabs.css'] },
  'cover.css': { type: 'text/css', files: ['css/frame/cover.css'] },
  'chips.css': { type: 'text/css', files: ['css/forms/chips.css', 'css/colors/strips.css'] },
  'tiles.css': { type: 'text/css', files: ['css/colors/tiles.css'] },
  'specimens.css': { type: 'text/css', files: ['css/cards/specimens.css'] },
  'link-cards.css': { type: 'text/css', files: ['css/cards/link-cards.css'] },
  'results.css': { type: 'text/css', files: ['css/search/results.css'] },
  'colors.css': {
    type: 'text/css',
    files: [
      'css/forms/chips.css',
      'css/colors/tiles.css',
      'css/colors/strips.css',
      'css/colors/colors.css',
      'css/colors/contrast.css',
      'css/pages/neighbours.css',
    ],
  },
  'type.css': { type: 'text/css', files: ['css/type/values.css', 'css/type/type.css', 'css/pages/neighbours.css'] },
  'files.css': { type: 'text/css', files: ['css/files/list.css', 'css/files/cards.css'] },
  'docs.css': { type: 'text/css', files: ['css/forms/tables.css', 'css/forms/code.css', 'css/pages/docs.css'] },
  'site.js': {
    type: 'text/javascript',
    files: [
      'script/theme.js',
      'script/navigation.js',
      'script/copy.js',
      'script/enlarge.js',
      'script/files.js',
      'script/search.js',
      'script/specimen.js',
    ],
  },
  'icon.svg': { type: 'image/svg+xml', files: ['icon.svg'] },
} as const

/** Further assets of pages that listen to changes. */
const LIVE_ASSETS = {
  'dev.css': { type: 'text/css', files: ['css/dev.css'] },
  'dev.js': { type: 'text/javascript', files: ['script/dev.js'] },
} as const

/** Further assets of pages that are copied to a folder. */
const COPIED_ASSETS = {
  'copied.js': { type: 'text/javascript', files: ['script/copied/search-engine.js', 'script/copied/search.js'] },
} as const

/** The name of an asset. */
export type AssetName = keyof typeof ASSETS | keyof typeof LIVE_ASSETS | keyof typeof COPIED_ASSETS

/** What pages are for. */
type PageKind = 'served' | 'live' | 'copied'

/** Opens the assets, which are read when one is first asked for; `base` is the path of the public URL, without a slash at its end. */
export function openAssets(base: string, kind: PageKind = 'served'): Assets {
  let known: ReadAssets | undefined
  const read = () => {
    known ??= readAssets(base, kind)
    return known
  }
  return {
    isLive: kind === 'live',
    isCopied: kind === 'copied',
    path: name => read().paths.get(name) ?? '',
    integrity: name => read().digests.get(name) ?? '',
    find: path => read().assets.get(path),
  }
}

type ReadAssets = {
  paths: ReadonlyMap<string, string>
  digests: ReadonlyMap<string, string>
  assets: ReadonlyMap<string, Representation>
}

function readAssets(base: string, kind: PageKind): ReadAssets {
  const paths = new Map<string, string>()
  const digests = new Map<string, string>()
  const assets = new Map<string, Representation>()
  for (const [name, { type, files }] of Object.entries({ ...ASSETS, ...MORE_ASSETS[kind] })) {
    const bytes = new TextEncoder().encode(files.map(readMinified).join(''))
    const path = `/assets/${etagOf(bytes).slice(1, 13)}/${name}`
    paths.set(name, `${base}${path}`)
    digests.set(name, `sha256-${createHash('sha256').update(bytes).digest('base64')}`)
    assets.set(path, { bytes, type: ['Content-Type', `${type}; charset=utf-8`], about: IMMUTABLE })
  }
  return { paths, digests, assets }
}

const MORE_ASSETS = { served: {}, live: LIVE_ASSETS, copied: COPIED_ASSETS }

const IMMUTABLE = ['Cache-Control', 'public, max-age=31536000, immutable', 'Vary', 'Accept-Encoding'] as const

/** Reads a file without its indentation; a style sheet also without what else means nothing to a browser. */
function readMinified(file: string): string {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8').replace(/^\s+/gm, '')
  return file.endsWith('.css')
    ? text
        .replace(/\s*([{};,]|>=?)\s*/g, '$1')
        .replace(REST_OF_CSS, '')
        .replace(QUOTED_WORD, '$1$2')
    : text
}

/** Last semicolons, spaces after colons, and zeros before points. */
const REST_OF_CSS = /;(?=})|(?<=:) |(?<=[\s:(,-])0(?=\.\d)/g
/** An attribute's value that needs no quotes, since it is an identifier (Selectors 4 §6.1). */
const QUOTED_WORD = /(\[[a-z-]+[$^*]?=)"([a-z][a-z-]*)"(?=\])/g
