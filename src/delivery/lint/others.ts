/** What others made: the findings of such files are summed up, by kind. */
export const OTHERS = { sheet: 'built or vendored style sheets', logo: 'logos of other firms' } as const

export type OthersKind = keyof typeof OTHERS

/** The kind of a file that others made, by its path and the start of its text. A name of the brand makes it its own. */
export function othersKind(path: string, start: string, brandNames: readonly string[]): OthersKind | undefined {
  const folders = path.toLowerCase().split('/')
  const file = folders.pop() ?? ''
  const names = brandNames.map(lettersOf).filter(name => name !== '')
  const isOwn = (text: string) => names.some(name => lettersOf(text).includes(name))
  if (/\.s?css$/.test(file)) {
    const banner = BANNER.exec(start)?.[0] ?? ''
    const isLibrary = LIBRARY_SIGNS.filter(sign => sign.test(banner)).length > 1 && !isOwn(banner)
    // Minified sheets have many rules on a line.
    const isBuilt =
      VENDORED.test(`/${path.toLowerCase()}`) || start.split('\n').some(line => line.split('}').length > 50)
    return isLibrary || isBuilt || LIBRARIES.test(file) ? 'sheet' : undefined
  }
  const title = (/<title[^<>]*>([^<]{1,200})/.exec(start)?.[1] ?? '').toLowerCase()
  const firmIn = (text: string) => (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter(word => !LOOKS.has(word)).join('')
  const firm = firmIn(file.replace(/\.svg$/, ''))
  // A brand may be called "GitHub Universe".
  const isOurs = isOwn(file + title) || (firm !== '' && names.some(name => name.includes(firm)))
  if (!file.endsWith('.svg') || isOurs) return undefined
  const isNamed = firm !== '' && firm === firmIn(title) && folders.some(each => /logos?$/.test(each))
  const ofOthers = isNamed || folders.some(each => OF_OTHERS.test(each))
  const isLogo = [file, title, ...folders].some(each => /logo|wordmark/.test(each))
  const isFirm = FIRMS.has(firm) || ((ofOthers || isLogo) && AMBIGUOUS_FIRMS.has(firm))
  return isFirm || (ofOthers && isLogo) || /(?:icons?|svgs?)\/brands$/.test(folders.join('/')) ? 'logo' : undefined
}

/** The letters and digits of a name: `AcmeSans-Bold.woff2` begins with `Acme Sans`. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Folders of packages, of what tools build, and of a version of a library, and names of sheets that tools build. */
const VENDORED =
  /\/(?:node_modules|bower_components|vendors?|vendored|third[-_]?party|dist|build|[._](?:next|nuxt|astro|svelte-kit)|wp-(?:includes|content\/plugins))\/|\/(?<=-\d+\.\d+\.\d[^/]*\/)|[.-](?:min|bundle|chunk|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,})\.css$/

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

/** Sheets of libraries by name. */
const LIBRARIES =
  /^_?(?:normalize|modern-normalize|sanitize|bootstrap|bulma|tachyons|pure|font-?awesome|animate|swiper|slick|select2|jquery-ui|leaflet|docsearch|katex|plotly|video-js|photoswipe|flatpickr|codemirror|pygments|prism|rouge|chroma|highlight|(?:code|syntax)-?highlight(?:ing)?)\b[\w.-]*\.s?css$/

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Words that say how a logo looks, and not whose it is. */
const LOOKS = wordSet(
  'logo logos logomark icon icons ico mark wordmark brand badge symbol glyph social share square circle round rounded color colour black blk white dark light mono horizontal vertical full outline filled fill solid small large sm lg',
)
const OF_OTHERS =
  /(?:^|[-_ ])(?:sponsors?|partners?|clients?|customers?|members?|supporters?|backers|donors|users?|brands|payments?|social|simple-?icons)(?:$|[-_ ])/

/** Firms whose names mean nothing else. */
const FIRMS = wordSet(
  'facebook instagram twitter xtwitter linkedin youtube tiktok pinterest whatsapp telegram wechat weibo snapchat reddit tumblr vimeo bluesky mastodon flickr behance dribbble soundcloud spotify github gitlab bitbucket codepen stackoverflow google googleplay appstore microsoft amazon aws azure digitalocean cloudflare netlify vercel heroku dropbox paypal mastercard americanexpress applepay googlepay klarna airbnb netflix wikipedia wordpress webassembly javascript nodejs python docker kubernetes firefox mozilla duckduckgo slack discord visa figma skype sentry trello twitch yelp xing amex',
)
/** Firms whose names are also words: a drawing of an apple is no logo. */
const AMBIGUOUS_FIRMS = wordSet(
  'x apple meta signal line medium stripe box threads messenger zoom notion chrome edge safari opera windows android linux swift go rust react angular vue oracle shell intel',
)
