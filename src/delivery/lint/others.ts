import { posix } from 'node:path'
import { anyOf, groupsOf, lettersOf, wordSet } from '#platform/base/text.ts'

/** The kinds of files that others made, whose findings are summed up. */
export const OTHERS = { sheet: 'built or vendored style sheets', logo: 'logos of other firms' } as const

export type OthersKind = keyof typeof OTHERS

/** The kind of a file that others made, by its path and the start of its text. A name of the brand makes it its own. */
export function othersKind(path: string, start: string, brandNames: readonly string[]): OthersKind | undefined {
  const place = `/${path.toLowerCase()}`
  const names = brandNames.map(lettersOf).filter(name => name !== '')
  if (/\.s?css$/.test(place)) return isOthersSheet(place, start, names) ? 'sheet' : undefined
  return place.endsWith('.svg') && isOthersLogo(place, start, names) ? 'logo' : undefined
}

function hasName(text: string, names: readonly string[]): boolean {
  const letters = lettersOf(text)
  return names.some(name => letters.includes(name))
}

function isOthersSheet(place: string, start: string, names: readonly string[]): boolean {
  const [banner = ''] = groupsOf(BANNER, start)
  const isLibrary = LIBRARY_SIGNS.filter(sign => sign.test(banner)).length > 1 && !hasName(banner, names)
  // Minified sheets have many rules on a line.
  const isBuilt = start.split('\n').some(line => line.split('}').length > 50)
  return isLibrary || isBuilt || isVendored(place) || isLibraryName(posix.basename(place))
}

function isOthersLogo(place: string, start: string, names: readonly string[]): boolean {
  const folder = posix.dirname(place)
  const file = posix.basename(place)
  const [, titleText = ''] = groupsOf(/<title[^<>]*>([^<]{1,200})/, start)
  const title = titleText.toLowerCase()
  const firm = firmIn(file.slice(0, -'.svg'.length))
  // A brand may be called "GitHub Universe".
  const isOurs = firm !== '' && names.some(name => name.includes(firm))
  if (isOurs || hasName(file + title, names)) return false
  // `logos/acme.svg` with the title "Acme" is the logo of a firm of that name.
  const isNamed = firm !== '' && firm === firmIn(title) && folder.split('/').some(name => /logos?$/.test(name))
  const words = folder.replaceAll('simple-icons', 'simpleicons').split(/[-_ /]/)
  const ofOthers = isNamed || words.some(word => OF_OTHERS.has(word))
  const isLogo = /logo|wordmark/.test([file, title, folder].join('\n'))
  const isFirm = FIRMS.has(firm) || ((ofOthers || isLogo) && AMBIGUOUS_FIRMS.has(firm))
  return isFirm || (ofOthers && isLogo) || BRAND_FOLDERS.values().some(name => folder.endsWith(name))
}

/** The name of a firm in the name or title of a drawing. */
function firmIn(text: string): string {
  const words = text.matchAll(/[\p{L}\p{N}]+/gu).map(([word]) => word)
  return [...words.filter(word => !LOOKS.has(word))].join('')
}

const BRAND_FOLDERS = wordSet('icon/brands icons/brands svg/brands svgs/brands')

/** Whether a path has a folder of packages, of what tools build, or of a version of a library, or a name that tools give. */
function isVendored(place: string): boolean {
  const has = (folder: string) => place.includes(`/${folder}/`)
  return VENDORED.values().some(has) || BUILT_NAMES.values().some(end => place.endsWith(end)) || VERSIONED.test(place)
}

const VENDORED = wordSet(`
  node_modules bower_components vendor vendors vendored thirdparty third-party third_party
  dist build .next _next .nuxt _nuxt .astro _astro .svelte-kit _svelte-kit wp-includes wp-content/plugins`)
const BUILT_NAMES = wordSet('.min.css -min.css .bundle.css -bundle.css .chunk.css -chunk.css')
/** A folder such as `jquery-3.7.1`, or a name with a hash, which has letters and digits. */
const VERSIONED = /\/(?<=-\d+\.\d+\.\d[^/]*\/)|[.-](?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,}\.css$/

/** Whether a sheet has the name of a library, alone or before a dot or hyphen. */
function isLibraryName(file: string): boolean {
  const name = file.replace(/^_/, '')
  return (
    /^[\w.-]+$/.test(name) &&
    LIBRARIES.values().some(library => ['.', '-'].some(mark => name.startsWith(library + mark)))
  )
}

/**
 * The first comment of a library: `/*! …`, `/** …`, with an address at its start, or with a name and a version before one,
 * such as `normalize.css v8.0.1 | MIT License | github.com/…`.
 */
const BANNER =
  /^\s*(?:@charset[^;]{0,30};\s*)?\/\*(?:\s*!|\*|\s*https?:|\s*[\w.-]+(?: [\w.-]+)? v?\d+\.\d(?=[^*]*https?:)).*?\*\//s

/** A version, a licence, an author and an address, of which the first comment of a library has at least two. */
const LIBRARY_SIGNS = [
  /\bv?\d+\.\d/,
  /licen[cs]e|\bMIT\b/i,
  new RegExp(`\\bauthors?\\b|${anyOf(['copyright', '(c)', '©'])}`, 'i'),
  /https?:|\w\.(?:com|io)\b/i,
]

const LIBRARIES = wordSet(`
  normalize modern-normalize sanitize bootstrap bulma tachyons pure fontawesome font-awesome animate swiper slick select2
  jquery-ui leaflet docsearch katex plotly video-js photoswipe flatpickr codemirror pygments prism rouge chroma highlight
  codehighlight code-highlight codehighlighting code-highlighting
  syntaxhighlight syntax-highlight syntaxhighlighting syntax-highlighting`)

/** Words that say how a logo looks, and not whose it is. */
const LOOKS = wordSet(`
  logo logos logomark icon icons ico mark wordmark brand badge symbol glyph social share square circle round rounded
  color colour black blk white dark light mono horizontal vertical full outline filled fill solid small large sm lg`)
const OF_OTHERS = wordSet(`
  sponsor sponsors partner partners client clients customer customers member members supporter supporters backers donors
  user users brands payment payments social simpleicons`)

/** Firms whose names mean nothing else. */
const FIRMS = wordSet(`
  facebook instagram twitter xtwitter linkedin youtube tiktok pinterest whatsapp telegram wechat weibo snapchat reddit
  tumblr vimeo bluesky mastodon flickr behance dribbble soundcloud spotify github gitlab bitbucket codepen
  stackoverflow google googleplay appstore microsoft amazon aws azure digitalocean cloudflare netlify vercel heroku
  dropbox paypal mastercard americanexpress applepay googlepay klarna airbnb netflix wikipedia wordpress webassembly
  javascript nodejs python docker kubernetes firefox mozilla duckduckgo slack discord visa figma skype sentry trello
  twitch yelp xing amex`)
/** Firms whose names are also words: a drawing of an apple is no logo. */
const AMBIGUOUS_FIRMS = wordSet(`
  x apple meta signal line medium stripe box threads messenger zoom notion chrome edge safari opera windows android
  linux swift go rust react angular vue oracle shell intel`)
