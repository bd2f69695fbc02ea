/** Words from CSS, other tools and everyday language, in lower case without punctuation, and our terms for them. */
export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    // Keys of colours.
    name: 'label title',
    hex: 'color colour hexcode value',
    pms: 'pantone spot',
    pms2: 'pantone2 pantoneuncoated',
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
    nav: 'menu navtitle shorttitle sidebarlabel',
    aliases: 'redirectfrom redirects',
    id: 'permalink slug',
    contentType: 'mime mimetype mediatype type',
    ground: 'background backgroundcolor bg',
    text: 'color foreground textcolor',
    accent: 'brandcolor primary primarycolor',
    icon: 'favicon',
    corners: 'borderradius radius',
    dark: 'colorscheme darkmode',
    visibility: 'access private public',
    lang: 'language locale',
    socialImage: 'ogimage opengraph previewimage',
    contact: 'email mail',
    // Commands.
    serve: 'run start up',
    dev: 'preview watch',
    check: 'lint test validate verify',
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
