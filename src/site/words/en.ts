import { lazy } from '../../base/object.ts'
import { type Html, html } from '../html.ts'
import { formattersFor } from './formatters.ts'

const { count, number } = formattersFor('en-GB')

export const en = lazy(() => ({
  frame: {
    skip: 'Skip to the content',
    menu: 'Menu',
    closeMenu: 'Close menu',
    guide: 'Guide',
    breadcrumb: 'Breadcrumb',
    overview: 'Overview',
    library: 'Library',
    onThisPage: 'On this page',
    theme: 'Theme',
    /** Light or dark as the system of the reader is. */
    auto: 'System',
    light: 'Light',
    dark: 'Dark',
    revision: (revision: number, day: Html) => html`Revision ${number(revision)}, published ${day}`,
    /** What a copy shows of a folder that is not published. */
    draft: 'Draft',
    /** The heading of the contents of a printed guide. */
    contents: 'Contents',
    markdown: 'This page as Markdown',
    contact: (contact: Html) => html`Contact: ${contact}`,
    pagesBelow: (page: string) => `Pages below ${page}`,
    notice: (problem: string) => `This page cannot be laid out: ${problem}. Here is its text as it was written.`,
  },
  sections: { colors: 'Colours', type: 'Type', files: 'Files' },
  /** What a button copies; `copied` and `selected` say what it did. */
  copy: {
    copy: (what: string) => `Copy ${what}`,
    copied: 'Copied',
    selected: 'Selected: copy it with your keyboard',
  },
  /** The brand in the formats of other tools; `palette` and `fonts` say what archives hold. */
  use: {
    title: 'Use it',
    lead: 'The same values in the formats of other tools, made from this revision.',
    palette: 'The colours for Adobe, GIMP, tables and the web',
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
  /** Pages, and what is in them. */
  pages: {
    all: 'All pages',
    allOf: (pages: number) => count(pages, { one: 'All # page', other: 'All # pages' }),
    pages: 'Pages',
    firstOfAll: (shown: number, href: string) =>
      html`<a href="${href}">All pages</a>, of which these are the first ${number(shown)}.`,
    neighbours: 'Previous and next page',
    previous: 'Previous',
    next: 'Next',
    empty: 'Nothing stands in this guide yet.',
    missingTitle: 'Not here',
    missing: 'This page is not here',
    missingWhy:
      'It may have been moved or removed since it was linked to. The navigation shows what there is; the search looks through all of it.',
    headingLink: 'Link to this section',
    table: 'Table',
    tableNumber: (at: number) => `Table ${number(at)}`,
    picture: 'Picture',
    closePicture: 'Close',
    film: 'Film',
    sound: 'Sound',
    task: 'Task',
    footnotes: 'Footnotes',
    toReference: (footnote: string) => `Back to reference ${footnote}`,
    tooSlow: (seconds: number) => `it takes longer than ${number(seconds)} s`,
    tooMuchMemory: 'it needs too much memory',
    tooLarge: 'it is nested too deeply, or many times larger as HTML',
  },
  /** What stands on the forms that Markdown is shown in; the Markdown itself is English. */
  forms: {
    do: 'Do',
    dont: 'Don’t',
    note: 'Note',
    tip: 'Tip',
    important: 'Important',
    warning: 'Warning',
    caution: 'Caution',
    code: 'the code',
  },
  /** What changed since the revision before. */
  changes: {
    title: 'What changed',
    since: (revision: number, day: string) => `Since revision ${number(revision)} of ${day}:`,
    added: 'New',
    changed: 'Changed',
    removed: 'Removed',
    none: 'No page has changed.',
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
    none: 'Nothing found',
    noneFor: (text: string) => `Nothing here has “${text}”.`,
    needsScript: (href: string) =>
      html`Searching this copy needs JavaScript. You can look through <a href="${href}">all pages</a>.`,
    tryOther: (href: string) => html`Try fewer or other words, or look through <a href="${href}">all pages</a>.`,
    found: (results: number, text: string) =>
      `${count(results, { one: 'One result', other: '# results' })} for “${text}”.`,
    best: (shown: number, results: number, text: string) =>
      `The best ${number(shown)} of ${count(results, { one: '# result', other: '# results' })} for “${text}”.`,
    someWords: 'None has all of the words; these have some.',
    page: 'Page',
    color: 'Colour',
    typeStyle: 'Type style',
    file: 'File',
  },
  colors: {
    count: (colors: number) => count(colors, { one: '# colour', other: '# colours' }),
    none: 'There are no colours in this guide.',
    others: 'Other colours',
    proportions: 'Proportions',
    tintsOf: (color: string) => `Tints of ${color}`,
    pairs: 'Pairs that go together',
    /** Letters of one colour on another. */
    pair: (letters: Html, ground: Html) => html`${letters} on ${ground}`,
    print: 'CMYK, PMS and RAL are for print and paint, as their authors gave them. A screen only approximates them.',
    wcag: 'Contrast is that of WCAG 2.2: AA asks for 4.5 between letters and their ground, or 3 where they are large (24 px, or 18.66 px bold); AAA asks for 7.',
    onWhite: 'On white',
    onBlack: 'On black',
    /** How well letters are read: WCAG calls the first two so in every language. */
    levels: { AAA: 'AAA', AA: 'AA', 'AA large': 'AA large', fails: 'fails' },
    contrast: 'Contrast with each other',
    contrastTable: 'Letters of the colour at the left on the colour above.',
    contrastOthers: 'Contrast with the others',
    contrastWith: (color: string) => `Contrast with ${color}`,
    contrastOn: (color: string, hex: string) =>
      `Letters of other colours on ${color}, ${hex}. The contrast is the same the other way round.`,
    contrastFirst: (shown: number) =>
      `First the ${number(shown)} colours of most contrast, then the ${number(shown)} that look most like it, by their distance in Oklab; the further pages have the others.`,
    contrastRest: 'These are the colours that are not on the first page, the strongest contrast first.',
    mostContrast: 'Most contrast',
    nearest: 'Nearest colours',
    levelHeadings: {
      AAA: 'AAA: 7 or more',
      AA: 'AA: 4.5 or more',
      'AA large': 'AA for large letters alone: 3 or more',
      fails: 'Fails: less than 3',
    },
  },
  type: {
    count: (styles: number) => count(styles, { one: '# style', other: '# styles' }),
    none: 'There are no type styles and no fonts in this guide.',
    styles: 'Styles',
    fonts: 'Fonts',
    cssOf: (style: string) => `the CSS of ${style}`,
    noFont: 'No font is given, so it is shown in that of this website.',
    missingFont: (family: string) =>
      `${family} is not among this guide’s files, so it is shown in another font where it is not installed.`,
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
    sizeFollows: 'the size follows the screen',
    features: 'Features',
    fallback: 'Fallback',
    /** Sentences that show many letters, for text and for display sizes. */
    sample: 'The five boxing wizards jump quickly. Jackdaws love my big sphinx of quartz: 1/2, 27 of 180.',
    largeSample: 'The five boxing wizards jump quickly: 1/2',
  },
  specimen: {
    write: (family: string) => `Write in ${family}`,
    features: 'OpenType features',
    feature: 'Feature',
    off: 'Off',
    on: 'On',
    stylisticSet: (set: number) => `Stylistic set ${set}`,
    characterVariant: (variant: number) => `Character variant ${variant}`,
    /** By their OpenType tags. */
    featureNames: {
      c2sc: 'Small capitals for capitals',
      case: 'Marks for capitals',
      clig: 'Contextual ligatures',
      dlig: 'Decorative ligatures',
      frac: 'Fractions',
      hist: 'Historical forms',
      liga: 'Ligatures',
      lnum: 'Lining figures',
      onum: 'Old-style figures',
      ordn: 'Ordinals',
      pnum: 'Proportional figures',
      salt: 'Alternates',
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
      restricted: 'May not be embedded without leave of its owner.',
    },
    noSubsets: 'Only as a whole, not in parts.',
    bitmapsAlone: 'Only as bitmaps.',
    download: (fonts: number) => count(fonts, { one: 'Download # font', other: 'Download # fonts' }),
    together: 'Set together',
    noFonts: 'No font is among the files.',
  },
  files: {
    count: (files: number) => count(files, { one: '# file', other: '# files' }),
    none: 'This guide has no files yet.',
    noneOfKind: 'This guide has no files of this kind.',
    kindsOfFiles: 'Kinds of files',
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
    /** A script puts a number in the place of `{found}`. */
    someOf: (files: number) => count(files, { one: '{found} of # file', other: '{found} of # files' }),
    narrow: 'Narrow by name',
    narrowPage: 'Narrow by name on this page',
    darkGround: 'Dark ground',
    lightGround: 'Light ground',
    /** The heading of files that stand in no folder. */
    general: 'General',
    file: 'File',
    downloadFormat: (name: string, format: string) => `Download ${name}: ${format}`,
    choose: (name: string) => `Choose ${name}`,
    /** It ends as the link reads: `ZIP, 71 kB`. */
    downloadFolder: (folder: string, size: string) => `Download ${folder} as ZIP, ${size}`,
    downloadChosen: 'Download as ZIP',
    tooMany: 'too many at once',
    clear: 'Clear',
    copyAddressOf: (name: string) => `Copy address of ${name}`,
  },
}))

/** The type of a complete table. English always has every word. */
export type Texts = ReturnType<typeof en>

/** The type of another language's table. Pages show missing words in English. */
export type Translation = Some<Texts>

type Some<Text> = Text extends string | ((...given: never) => unknown)
  ? Text
  : { readonly [Key in keyof Text]?: Some<Text[Key]> }
