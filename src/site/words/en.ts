import { lazy } from '../../base/object.ts'
import { type Html, html } from '../html.ts'
import { formattersFor } from './formatters.ts'

const { count, number } = formattersFor('en-GB')

export const en = lazy(() => ({
  frame: {
    skip: 'Skip to content',
    menu: 'Menu',
    closeMenu: 'Close menu',
    /** Downloads the logo that the theme names. */
    getLogo: 'Get the logo',
    sections: 'Sections',
    /** The sections for which the header has no space. */
    more: 'More',
    guide: 'Guide',
    breadcrumb: 'Breadcrumb',
    overview: 'Overview',
    library: 'Library',
    onThisPage: 'On this page',
    theme: 'Theme',
    /** Light or dark, as set in the reader’s system. */
    auto: 'System',
    light: 'Light',
    dark: 'Dark',
    revision: (revision: number, day: Html) => html`Revision ${number(revision)}, published ${day}`,
    /** Replaces the revision in a copy of an unpublished folder. */
    draft: 'Draft',
    /** The heading above the table of contents of a printed guide. */
    contents: 'Contents',
    markdown: 'This page as Markdown',
    contact: (contact: Html) => html`Contact: ${contact}`,
    pagesBelow: (page: string) => `Pages under ${page}`,
    notice: (problem: string) => `This page cannot be displayed: ${problem}. Here is its source text.`,
  },
  sections: { colors: 'Colours', type: 'Type', files: 'Files' },
  /** The label of copy buttons, and their result: `selected` if the browser denies access to the clipboard. */
  copy: {
    copy: (what: string) => `Copy ${what}`,
    copied: 'Copied',
    selected: 'Selected. Copy it with your keyboard.',
  },
  /** The brand in the formats of other tools; `palette` and `fonts` describe archives. */
  use: {
    title: 'Use it',
    lead: 'The same values in the formats of other tools, exported from this revision.',
    design: 'For design',
    code: 'For code',
    agents: 'For agents',
    /** The row with the address for agents; MCP is the Model Context Protocol. */
    address: 'MCP address',
    files: 'All files of this guide',
    palette: 'The colours for Adobe, GIMP, spreadsheets and the web',
    fonts: 'The fonts with their style sheet and licences',
  },
  /** Lists that are too long for one page. */
  lists: {
    title: (title: string, page: number) => `${title}, page ${number(page)}`,
    pages: 'Pages of the list',
    page: (page: number) => `Page ${number(page)}`,
    previous: 'Previous',
    next: 'Next',
    first: 'First page',
    last: 'Last page',
    pageOf: (page: number, pages: number) => `Page ${number(page)} of ${number(pages)}.`,
  },
  /** Pages and their content. */
  pages: {
    all: 'All pages',
    allOf: (pages: number) => count(pages, { one: 'All # page', other: 'All # pages' }),
    pages: 'Pages',
    firstOfAll: (shown: number, href: string) =>
      html`These are the first ${number(shown)} of <a href="${href}">all pages</a>.`,
    neighbours: 'Previous and next page',
    edit: 'Edit this page',
    previous: 'Previous',
    next: 'Next',
    empty: 'This guide is empty.',
    missingTitle: 'Page not found',
    missing: 'This page does not exist',
    missingWhy:
      'It may have been moved or removed. The navigation shows all pages, and the search covers the whole guide.',
    headingLink: 'Link to this section',
    table: 'Table',
    tableNumber: (at: number) => `Table ${number(at)}`,
    picture: 'Picture',
    closePicture: 'Close',
    film: 'Video',
    pause: 'Pause',
    captions: 'Captions',
    sound: 'Audio',
    task: 'Task',
    footnotes: 'Footnotes',
    toReference: (footnote: string) => `Back to reference ${footnote}`,
    tooSlow: (seconds: number) => `rendering it takes longer than ${number(seconds)} s`,
    tooMuchMemory: 'rendering it needs too much memory',
    tooLarge: 'it is nested too deeply, or its HTML would be many times larger',
  },
  /** Labels that the website adds to Markdown; the Markdown keywords themselves are always English. */
  forms: {
    do: 'Do',
    dont: 'Don’t',
    before: 'Before',
    after: 'After',
    compare: 'How much of the picture before is visible, in percent',
    note: 'Note',
    tip: 'Tip',
    important: 'Important',
    warning: 'Warning',
    caution: 'Caution',
    code: 'the code',
  },
  /** The greeting of readers with a share link. */
  welcome: {
    for: (name: string, day: string) => `For ${name}, until ${day}`,
    until: (day: string) => `Open to you until ${day}`,
  },
  /** The changes since the previous revision. */
  changes: {
    title: 'What changed',
    since: (revision: number, day: string) => `Since revision ${number(revision)} of ${day}:`,
    added: 'New',
    changed: 'Changed',
    removed: 'Removed',
    none: 'No page has changed.',
    before: 'Before',
    after: 'After',
    nothingBefore: 'There is no earlier revision to compare this one with.',
  },
  search: {
    search: 'Search',
    searchGuide: 'Search this guide',
    again: 'Search again',
    hint: 'Words, a colour value, or part of a file name',
    title: (text: string) => `“${text}”`,
    results: 'Results',
    count: (results: number) => count(results, { one: '# result', other: '# results' }),
    all: (results: number) => count(results, { one: 'All # result', other: 'All # results' }),
    none: 'No results',
    noneFor: (text: string) => `No results for “${text}”.`,
    needsScript: (href: string) =>
      html`Searching this copy requires JavaScript. You can also browse <a href="${href}">all pages</a>.`,
    tryOther: (href: string) => html`Try fewer or different words, or browse <a href="${href}">all pages</a>.`,
    found: (results: number, text: string) =>
      `${count(results, { one: 'One result', other: '# results' })} for “${text}”.`,
    best: (shown: number, results: number, text: string) =>
      `The best ${number(shown)} of ${count(results, { one: '# result', other: '# results' })} for “${text}”.`,
    someWords: 'No result contains all the words; these contain some of them.',
    page: 'Page',
    color: 'Colour',
    typeStyle: 'Type style',
    file: 'File',
  },
  colors: {
    count: (colors: number) => count(colors, { one: '# colour', other: '# colours' }),
    none: 'This guide has no colours.',
    others: 'Other colours',
    proportions: 'Proportions',
    /** The legend of a choice between HEX, RGB, CMYK and OKLCH. */
    copyAs: 'Copy as',
    tintsOf: (color: string) => `Tints of ${color}`,
    tryPair: 'Try two colours',
    pairText: 'Text',
    pairGround: 'Background',
    showPair: 'Show',
    ratio: 'Contrast',
    uses: { body: 'Text', large: 'Large text', graphics: 'Graphics' },
    pairs: 'Recommended pairs',
    /** Text in one colour on another. */
    pair: (letters: Html, ground: Html) => html`${letters} on ${ground}`,
    print:
      'CMYK, PMS and RAL values are for print and paint, as specified by the authors. Screens can only approximate them.',
    wcag: 'Contrast follows WCAG 2.2: AA requires 4.5 between text and background, or 3 for large text (24 px, or 18.66 px bold); AAA requires 7.',
    /** Levels of legibility; `AAA` and `AA` are WCAG’s names in every language. */
    levels: { AAA: 'AAA', AA: 'AA', 'AA large': 'AA large', fails: 'fails' },
    contrast: 'Contrast between colours',
    contrastTable: 'Each cell shows text in its row’s colour on its column’s colour.',
    contrastOthers: 'Contrast with other colours',
    contrastWith: (color: string) => `Contrast with ${color}`,
    contrastOn: (color: string, hex: string) =>
      `Text in other colours on ${color}, ${hex}. The contrast is the same the other way round.`,
    contrastFirst: (shown: number) =>
      `The ${number(shown)} colours with the strongest contrast come first, then the ${number(shown)} most similar ones by Oklab distance. The other colours are on the following pages.`,
    contrastRest: 'These colours are not on the first page. The strongest contrast comes first.',
    mostContrast: 'Strongest contrast',
    nearest: 'Most similar colours',
    levelHeadings: {
      AAA: 'AAA: 7 or more',
      AA: 'AA: 4.5 or more',
      'AA large': 'AA for large text only: 3 or more',
      fails: 'Fails: less than 3',
    },
  },
  type: {
    count: (styles: number) => count(styles, { one: '# style', other: '# styles' }),
    none: 'This guide has no type styles or fonts.',
    styles: 'Styles',
    fonts: 'Fonts',
    sampleLabel: 'Sample',
    details: 'Values and CSS',
    cssOf: (style: string) => `the CSS of ${style}`,
    noFont: 'No font is specified, so the sample uses this website’s font.',
    missingFont: (family: string) =>
      `This guide does not include ${family}. If it is not installed, the sample uses another font.`,
    unread: (link: Html) => html`${link} cannot be read as a font, so it is not shown.`,
    weight: (weight: number) => `weight\u00a0${weight}`,
    slants: { normal: 'normal', italic: 'italic', oblique: 'oblique' },
    family: 'Family',
    weightLabel: 'Weight',
    slant: 'Style',
    size: 'Size',
    leading: 'Leading',
    tracking: 'Tracking',
    casing: 'Casing',
    casings: {
      none: 'none',
      uppercase: 'uppercase',
      lowercase: 'lowercase',
      capitalize: 'capitalize',
      'small-caps': 'small-caps',
    },
    spacing: 'Spacing',
    afterParagraph: (ems: number) => `${ems} em after a paragraph`,
    responsive: 'Responsive',
    sizeFollows: 'the size adapts to the screen',
    features: 'Features',
    axes: 'Axes',
    fallback: 'Fallback',
    /** Sentences with many different letters, for text and display sizes. */
    sample: 'The five boxing wizards jump quickly. Jackdaws love my big sphinx of quartz: 1/2, 27 of 180.',
    largeSample: 'The five boxing wizards jump quickly: 1/2',
  },
  specimen: {
    write: (family: string) => `Write in ${family}`,
    /** Axes of variable fonts that every font names differently; keyed by OpenType tag. */
    axes: { opsz: 'Optical size', slnt: 'Slant', wdth: 'Width', ital: 'Italic' },
    features: 'OpenType features',
    feature: 'Feature',
    off: 'Off',
    on: 'On',
    stylisticSet: (set: number) => `Stylistic set ${set}`,
    characterVariant: (variant: number) => `Character variant ${variant}`,
    /** Keyed by OpenType tag. */
    featureNames: {
      c2sc: 'Small capitals from capitals',
      case: 'Case-sensitive forms',
      clig: 'Contextual ligatures',
      dlig: 'Discretionary ligatures',
      frac: 'Fractions',
      hist: 'Historical forms',
      liga: 'Ligatures',
      lnum: 'Lining figures',
      onum: 'Old-style figures',
      ordn: 'Ordinals',
      pnum: 'Proportional figures',
      salt: 'Stylistic alternates',
      sinf: 'Scientific inferiors',
      smcp: 'Small capitals',
      subs: 'Subscript',
      sups: 'Superscript',
      swsh: 'Swashes',
      tnum: 'Tabular figures',
      zero: 'Slashed zero',
    },
    characters: 'Characters',
    kinds: {
      number: 'Numbers',
      punctuation: 'Punctuation',
      currency: 'Currencies',
      math: 'Mathematics',
      symbol: 'Symbols',
      private: 'Private use',
    },
    notShown: (left: number) =>
      count(left, { one: '# more character is not shown.', other: '# more characters are not shown.' }),
    license: 'Licence',
    embedding: 'Embedding',
    copyright: 'Copyright',
    rights: {
      installable: 'May be embedded in documents, and installed from them.',
      editable: 'May be embedded in documents that can be edited.',
      preview: 'May be embedded in documents that are only read and printed.',
      restricted: 'May not be embedded without the owner’s permission.',
    },
    noSubsets: 'Only the whole font, not a subset.',
    bitmapsAlone: 'Only as bitmaps.',
    download: (fonts: number) => count(fonts, { one: 'Download # font', other: 'Download # fonts' }),
    together: 'Set together',
    noFonts: 'This guide has no font files.',
    reading: 'Some fonts are still being read. Reload this page to see all their details.',
  },
  files: {
    count: (files: number) => count(files, { one: '# file', other: '# files' }),
    none: 'This guide has no files yet.',
    noneOfKind: 'This guide has no files of this type.',
    kindsOfFiles: 'File types',
    all: 'All',
    kinds: {
      pictures: 'Pictures',
      fonts: 'Fonts',
      documents: 'Documents',
      media: 'Audio and video',
      other: 'Other',
    },
    downloadAll: (size: string) => `Download all as ZIP, ${size}`,
    part: (first: number, last: number, files: number) =>
      `Files ${number(first)} to ${number(last)} of ${number(files)}`,
    /** A script replaces `{found}` with a number. */
    someOf: (files: number) => count(files, { one: '{found} of # file', other: '{found} of # files' }),
    narrow: 'Filter by name',
    narrowPage: 'Filter this page by name',
    previewOn: 'Preview on',
    ownGround: 'Its own background',
    /** The heading of files outside folders. */
    general: 'General',
    file: 'File',
    downloadFormat: (name: string, format: string) => `Download ${name}: ${format}`,
    choose: (name: string) => `Select ${name}`,
    /** Ends with the visible link text: `ZIP, 71 kB`. */
    downloadFolder: (folder: string, size: string) => `Download ${folder} as ZIP, ${size}`,
    downloadChosen: 'Download as ZIP',
    tooMany: 'too many at once',
    clear: 'Clear selection',
    uses: {
      title: 'What may I use here?',
      medium: 'Medium',
      ground: 'Background',
      width: 'Width in px',
      any: 'Any',
      show: 'Show',
      none: 'No file says that it may be used for this.',
      media: { screen: 'Screen', print: 'Print', merchandise: 'Merchandise', video: 'Video' },
      fromWidth: (pixels: number) => `from ${number(pixels)} px`,
      onDark: 'on dark',
      onLight: 'on light',
      until: (day: string) => `Until ${day}`,
      expired: (day: string) => `Expired on ${day}`,
    },
    pngOf: (name: string, size: number) => `Download ${name} as PNG, ${size} px`,
    copyCodeOf: (name: string) => `Copy the code of ${name}`,
    copyAddressOf: (name: string) => `Copy the address of ${name}`,
  },
}))

/** The type of a complete table. English always has every word. */
export type Texts = ReturnType<typeof en>

/** The type of another language's table. Pages show missing words in English. */
export type Translation = Some<Texts>

type Some<Text> = Text extends string | ((...given: never) => unknown)
  ? Text
  : { readonly [Key in keyof Text]?: Some<Text[Key]> }
