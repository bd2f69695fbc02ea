import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { lazy } from '#platform/base/object.ts'
import { etagOf } from '#platform/exchange/etag.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { NUMBERED_RULES } from './numbered-rules.ts'
import { searchEngine } from './script/copied/search-engine.ts'
import { editScript } from './script/edited/edit-script.ts'

/** The style sheets and scripts of the website; caches may keep them forever, since their addresses have a hash. */
export type Assets = {
  /** Whether pages listen for changes, which they do only in `dev`. */
  isLive: boolean
  /** Whether pages are copied to a folder, so that a browser opens them without a service. */
  isCopied: boolean
  path: (name: AssetName) => string
  /** The hash that a browser checks an asset against (Subresource Integrity §3.1). */
  integrity: (name: AssetName) => string
  /** Finds the asset at a path below the service. */
  find: (path: string) => Representation | undefined
}

/** Cards, text and palettes, which all pages of a guide may show, except lists of files. */
const CARDS = `
  forms/tables forms/prose pages/neighbours pages/index cards/cards forms/chips colors/tiles cards/link-cards
`

/** The other components that authors use in pages. */
const FORMS = `
  forms/pictures forms/composition forms/compare forms/judged forms/callouts colors/colors colors/pairs forms/tabs files/stage
  type/scale
`

/**
 * The type and files of each asset, in order: later rules win over earlier ones of equal specificity. A file that pages
 * of several kinds need, or whose rules win over those of another sheet, is in more than one.
 */
const ASSETS = {
  'site.css': sheet(`
    base frame/header frame/frame frame/navigation frame/head copy forms/code forms/rare cards/faces forms/schemes search
    files/plates pages/draft frame/sections frame/motion
  `),
  'plain.css': sheet(`${CARDS} pages/exports pages/results files/stage frame/wide`),
  'pages.css': sheet(`${CARDS} ${FORMS} frame/cover frame/wide frame/grid`),
  'home.css': sheet('files/tiles pages/welcome pages/home'),
  'compared.css': sheet(`${CARDS} ${FORMS} files/cards forms/facts pages/revisions pages/changes frame/wide`),
  'styles.css': sheet(
    `${CARDS} colors/colors colors/pairs colors/page colors/contrast type/scale type/type frame/wide`,
  ),
  'files.css': sheet('files/tiles files/filters files/list files/cards forms/facts files/page files/check'),
  'alone.css': sheet('cards/cards forms/facts pages/alone'),
  'manage.css': sheet('forms/facts pages/revisions pages/manage pages/usage'),
  'answer.css': sheet('pages/manage'),
  'edit.css': sheet('pages/edit'),
  'site.js': script('theme navigation copy enlarge film compare search specimen'),
  'files.js': script('files'),
  'versions.js': script('versions'),
  'pair.js': script('pair'),
  'times.js': script('times'),
  'signout.js': script('signout'),
  'icon.svg': { type: 'image/svg+xml', files: ['icon.svg'] },
} as const

function sheet(names: string) {
  return { type: 'text/css', files: filesNamed('css/*.css', names) } as const
}

function script(names: string) {
  return { type: 'text/javascript', files: filesNamed('script/*.js', names) } as const
}

function filesNamed(pattern: string, names: string): string[] {
  return names
    .trim()
    .split(/\s+/)
    .map(name => pattern.replace('*', name))
}

/** The description of the API, which readers of guides do not load. */
const DOCS_ASSETS = {
  'docs.css': sheet('frame/wide forms/tables pages/docs'),
} as const

const LIVE_ASSETS = { 'dev.css': sheet('dev'), 'dev.js': script('dev') } as const

/** The search for browsers: a file of the built package, generated on first use when running from source. */
export const SEARCH_ENGINE = 'script/copied/search-engine.js'

/** The editor, which only its pages load: they read its script first. */
const EDIT_ASSETS = { 'edit.js': { type: 'text/javascript', files: ['edit.js'] } } as const

const COPIED_ASSETS = {
  'copied.js': { type: 'text/javascript', files: [SEARCH_ENGINE, 'script/copied/search.js'] },
} as const

type AssetName =
  | keyof typeof ASSETS
  | keyof typeof DOCS_ASSETS
  | keyof typeof EDIT_ASSETS
  | keyof typeof LIVE_ASSETS
  | keyof typeof COPIED_ASSETS

/**
 * The style sheets and scripts of each kind of page, in order. A page may load 30 KB of HTML, CSS and script in few files:
 * with a sheet for each component, a page would load a dozen, and each page another set.
 */
export const PAGE_ASSETS = {
  /** Outside any guide. */
  alone: ['site.css', 'alone.css', 'site.js'],
  /** Only with text and cards. */
  plain: ['site.css', 'plain.css', 'site.js'],
  /** Written by the authors of a guide. */
  authored: ['site.css', 'pages.css', 'site.js'],
  /** The first of a guide, with a greeting and a showcase. */
  home: ['site.css', 'pages.css', 'home.css', 'site.js'],
  /** The colours of a guide, or the contrast of two. */
  colors: ['site.css', 'styles.css', 'site.js', 'pair.js'],
  /** The type styles and fonts of a guide. */
  type: ['site.css', 'styles.css', 'site.js'],
  /** The files of a guide. */
  files: ['site.css', 'files.css', 'site.js', 'files.js', 'versions.js'],
  /** A file, or what a search found. */
  found: ['site.css', 'plain.css', 'files.css', 'site.js', 'files.js'],
  /** Items of all kinds, before and after a change. */
  changes: ['site.css', 'compared.css', 'site.js'],
  /** For people who publish, share and review. */
  manage: ['site.css', 'plain.css', 'manage.css', 'site.js', 'times.js'],
  /** For people who edit. */
  edit: ['site.css', 'plain.css', 'manage.css', 'edit.css', 'site.js', 'edit.js'],
  /** Changes, and a form. */
  review: ['site.css', 'compared.css', 'answer.css', 'site.js', 'times.js'],
  /** The end of a session. */
  signout: ['site.css', 'alone.css', 'site.js', 'signout.js'],
  /** The description of the API. */
  docs: ['site.css', 'docs.css', 'site.js'],
} as const satisfies Readonly<Record<string, readonly AssetName[]>>

export type PageAssets = keyof typeof PAGE_ASSETS

/** How pages are read: from a service, from `dev`, or from a folder. */
export type PageKind = 'served' | 'live' | 'copied'

/** Opens the assets, which are all read on first use; `base` is the path of the public URL, without a slash at its end. */
export function openAssets(base: string, kind: PageKind = 'served'): Assets {
  const siteAssets = lazy(() => readAssets(base, { ...ASSETS, ...MORE_ASSETS[kind] }))
  const editAssets = lazy(() => readAssets(base, EDIT_ASSETS))
  const assetsWith = (name: AssetName) => (name === 'edit.js' ? editAssets() : siteAssets())
  const findEditScript = (path: string) => (editScript() === undefined ? undefined : editAssets().assets.get(path))
  return {
    isLive: kind === 'live',
    isCopied: kind === 'copied',
    path: name => assetsWith(name).paths.get(name) ?? '',
    integrity: name => assetsWith(name).digests.get(name) ?? '',
    find: path => siteAssets().assets.get(path) ?? findEditScript(path),
  }
}

type AssetFiles = { type: string; files: readonly string[] }

type ReadAssets = {
  /** The addresses and the integrity hashes, by name. */
  paths: ReadonlyMap<string, string>
  digests: ReadonlyMap<string, string>
  /** The assets, keyed by path below the service: `/assets/{hash}/site.css`. */
  assets: ReadonlyMap<string, Representation>
}

function readAssets(base: string, all: Readonly<Record<string, AssetFiles>>): ReadAssets {
  const paths = new Map<string, string>()
  const digests = new Map<string, string>()
  const assets = new Map<string, Representation>()
  for (const [name, { type, files }] of Object.entries(all)) {
    const text = name === 'edit.js' ? (editScript() ?? '') : files.map(readMinified).join('')
    const bytes = new TextEncoder().encode(text)
    const path = `/assets/${etagOf(bytes).slice(1, 13)}/${name}`
    paths.set(name, `${base}${path}`)
    digests.set(name, `sha256-${createHash('sha256').update(bytes).digest('base64')}`)
    assets.set(path, { bytes, type: ['Content-Type', `${type}; charset=utf-8`], about: IMMUTABLE, isPermanent: true })
  }
  return { paths, digests, assets }
}

const MORE_ASSETS = { served: DOCS_ASSETS, live: { ...DOCS_ASSETS, ...LIVE_ASSETS }, copied: COPIED_ASSETS }

const IMMUTABLE = ['Cache-Control', 'public, max-age=31536000, immutable', 'Vary', 'Accept-Encoding'] as const

/** The style sheets with these names below `css`, in order, for a page that contains them. */
export function readStyles(names: string): string {
  return filesNamed('css/*.css', names).map(readMinified).join('')
}

/** Reads a file without its indentation and comments; a style sheet also without other insignificant characters. */
function readMinified(file: string): string {
  const isGenerated = file === SEARCH_ENGINE && import.meta.url.endsWith('.ts')
  const source = isGenerated ? searchEngine() : readFileSync(new URL(file, import.meta.url), 'utf8')
  const text = (source + (NUMBERED_RULES[file] ?? '')).replace(COMMENT, '').replace(/^\s+/gm, '')
  return file.endsWith('.css')
    ? text
        .replace(/\s*([{};,]|>=?)\s*/g, '$1')
        .replace(REST_OF_CSS, '')
        .replace(QUOTED_WORD, '$1$2')
    : text
}

/** Comments that begin their line. */
const COMMENT = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)$/gm
/** The last semicolon of `{ top: 0; }`, the space after the colon of `top: 0`, and the zero of `0.5em`. */
const REST_OF_CSS = /;(?=})|(?<=:) |(?<=[\s:(,-])0(?=\.\d)/g
/** An attribute's value that needs no quotes, as in `[type="button"]`, since it is an identifier (Selectors 4 §6.1). */
const QUOTED_WORD = /(\[[a-z-]+[$^*]?=)"([a-z][a-z-]*)"(?=\])/g
