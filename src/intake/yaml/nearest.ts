import { mostSimilar } from '#brand/similar.ts'
import { quoteWhole } from '#platform/base/text.ts'

/**
 * The known word that was probably meant: the same in another case, a synonym, or a similar one (`mostSimilar`).
 *
 * @param share the share of letters that may differ
 */
export function nearest(text: string, words: readonly string[], share = 1 / 2): string | undefined {
  const word = text.toLowerCase()
  const same = words.find(each => each.toLowerCase() === word)
  return same ?? synonym(word, words) ?? mostSimilar(text, words, share)
}

function synonym(word: string, words: readonly string[]): string | undefined {
  return SYNONYMS.get(word.replace(/[^a-z0-9]/g, ''))?.find(ours => words.includes(ours))
}

/** The fix for an unknown name: the suggestion if there is one, else `otherwise`. */
export function advice(meant: string | undefined, otherwise: string): string {
  return meant === undefined ? otherwise : `did you mean ${quoteWhole(meant)}?`
}

/** Words from CSS, other tools and everyday language, in lower case without punctuation, and our terms for them. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    // Keys of colours.
    name: 'label title',
    hex: 'color colour hexcode value',
    pms: 'pantone spot',
    pms2: 'pantone2 pantoneuncoated',
    inks: 'dic hks ink ncs toyo',
    use: 'usage purpose',
    group: 'category palette section',
    tintOf: 'base tint shadeof',
    // Keys of type styles.
    family: 'font fontfamily fontname typeface',
    size: 'fontsize',
    leading: 'lineheight linespacing',
    tracking: 'letterspacing',
    casing: 'case texttransform transform',
    spacing: 'marginbottom paragraphspacing',
    features: 'fontfeaturesettings opentype',
    weight: 'fontweight',
    style: 'fontstyle',
    // Keys of pages, files and projects.
    title: 'heading name',
    description: 'alt alttext caption excerpt summary',
    order: 'position sortorder weight',
    cover: 'hero image thumbnail',
    nav: 'menu navigation navtitle shorttitle sidebarlabel',
    image: 'file hero photo picture src video',
    focus: 'focalpoint objectposition position',
    fit: 'objectfit size',
    whole: 'contain',
    fill: 'cover crop',
    behind: 'background',
    download: 'getlogo kit logokit',
    aliases: 'redirectfrom redirects',
    id: 'permalink slug',
    contentType: 'mime mimetype mediatype type',
    ground: 'background backgroundcolor bg',
    text: 'color foreground textcolor',
    accent: 'brandcolor primary primarycolor',
    icon: 'favicon',
    medium: 'media channel channels usage',
    minWidth: 'minimumwidth minsize minimumsize',
    clearSpace: 'clearance clearzone exclusionzone protectedarea safezone',
    licence: 'license rights',
    territory: 'country countries region',
    until: 'expires expiry validuntil enddate',
    screen: 'web online digital',
    print: 'paper',
    merchandise: 'merch',
    video: 'film motion',
    corners: 'borderradius radius',
    scale: 'typescale sizes',
    dark: 'colorscheme darkmode',
    visibility: 'access private public',
    lang: 'language locale',
    socialImage: 'ogimage opengraph previewimage',
    contact: 'email mail',
    // Commands.
    serve: 'run start up',
    dev: 'preview watch',
    check: 'test validate verify',
    init: 'create new',
    import: 'add load push upload',
    publish: 'deploy release',
    status: 'list ls projects',
    history: 'log revisions',
    export: 'build download generate',
    delete: 'remove rm',
    copy: 'clone cp duplicate',
    rollback: 'restoreversion revert undo',
    help: 'man usage',
    // Formats of exports.
    css: 'stylesheet',
    tokens: 'designtokens dtcg',
  }).reduce<Map<string, readonly string[]>>((all, [ours, words]) => {
    for (const word of words.split(' ')) all.set(word, [...(all.get(word) ?? []), ours])
    return all
  }, new Map()),
)
