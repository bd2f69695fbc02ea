import { groupsOf, wordSet } from '#platform/base/text.ts'

/** What others made: the findings of such files are summed up, by kind. */
export const OTHERS = { sheet: 'built or vendored style sheets', logo: 'logos of other firms' } as const

export type OthersKind = keyof typeof OTHERS

/** The kind of a file that others made, by its path and the start of its text. A name of the brand makes it its own. */
export function othersKind(path: string, start: string, brandNames: readonly string[]): OthersKind | undefined {
  const place = `/${path.toLowerCase()}`
  const folders = place.split('/')
  const file = folders.pop() ?? ''
  const names = brandNames.map(lettersOf).filter(name => name !== '')
  const isOwn = (text: string) => names.some(name => lettersOf(text).includes(name))
  if (/\.s?css$/.test(file)) {
    const [banner = ''] = groupsOf(BANNER, start)
    const isLibrary = LIBRARY_SIGNS.filter(sign => sign.test(banner)).length > 1 && !isOwn(banner)
    // Minified sheets have many rules on a line.
    const isBuilt = start.split('\n').some(line => line.split('}').length > 50)
    return isLibrary || isBuilt || isVendored(place) || isLibraryName(file) ? 'sheet' : undefined
  }
  const title = (groupsOf(/<title[^<>]*>([^<]{1,200})/, start)[1] ?? '').toLowerCase()
  const firmIn = (text: string) => (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter(word => !LOOKS.has(word)).join('')
  const firm = firmIn(file.replace(/\.svg$/, ''))
  // A brand may be called "GitHub Universe".
  const isOurs = isOwn(file + title) || (firm !== '' && names.some(name => name.includes(firm)))
  if (!file.endsWith('.svg') || isOurs) return undefined
  const isNamed = firm !== '' && firm === firmIn(title) && folders.some(each => /logos?$/.test(each))
  const words = folders.flatMap(each => each.replaceAll('simple-icons', 'simpleicons').split(/[-_ ]/))
  const ofOthers = isNamed || words.some(word => OF_OTHERS.has(word))
  const isLogo = [file, title, ...folders].some(each => /logo|wordmark/.test(each))
  const isFirm = FIRMS.has(firm) || ((ofOthers || isLogo) && AMBIGUOUS_FIRMS.has(firm))
  return isFirm || (ofOthers && isLogo) || /(?:icons?|svgs?)\/brands$/.test(folders.join('/')) ? 'logo' : undefined
}

/** The letters and digits of a name: `AcmeSans-Bold.woff2` begins with `Acme Sans`. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

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

/** The first comment of a library: with a mark, or beginning with an address, or with a name and version before one. */
const BANNER =
  /^\s*(?:@charset[^;]{0,30};\s*)?\/\*(?:\s*!|\*|\s*https?:|\s*[\w.-]+(?: [\w.-]+)? v?\d+\.\d(?=[^*]*https?:)).*?\*\//s

/** A version, a licence, an author and an address, of which the first comment of a library has at least two. */
const LIBRARY_SIGNS = [
  /\bv?\d+\.\d/,
  /licen[cs]e|\bMIT\b/i,
  /copyright|\(c\)|©|\bauthors?\b/i,
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
