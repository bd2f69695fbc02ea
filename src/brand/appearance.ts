import { type CommonValues, type FieldsOf, fieldIn } from './fields.ts'
import type { FolderNotes } from './file.ts'
import type { StyleId } from './ids.ts'
import type { BrandWord, LintSettings } from './lint-rules.ts'

const website = fieldIn('website')
const tools = fieldIn('tools')
const api = fieldIn('API')

/** The corner radius is a keyword or in px. */
export const CORNERS = ['square', 'soft', 'round'] as const

export const DARK_MODES = ['auto', 'off'] as const

export const LINES = ['none', 'hair', 'rule'] as const

export const MOTIONS = ['calm', 'none'] as const

/** The layouts of a guide's pages: headings beside text, contents in large type, or a list of pages beside text. */
export const LAYOUTS = ['editorial', 'index', 'docs'] as const

export const NAVIGATIONS = ['list', 'sections'] as const

/** The theme of a guide's website, its wording outside the content, and its settings for lint. The API omits them. */
export type Appearance = FieldsOf<typeof APPEARANCE_FIELDS, AppearanceKinds, never>

type AppearanceKinds = CommonValues & {
  theme: Theme
  contact: string
  footer: readonly { name: string; url: string }[]
  office: OfficeTheme
  navigation: (typeof NAVIGATIONS)[number]
  folders: readonly FolderNotes[]
  words: readonly BrandWord[]
  lint: LintSettings
}

/** Keys of `project.yaml`, except `isNeutral`, which is `theme: none` there, and `folders`, which are in `files.yaml`. */
export const APPEARANCE_FIELDS = {
  theme: website(
    'theme',
    'The theme of the website: references to files, colours and type styles. Without one, the website takes accent, logo and letters from the guide; none switches this off.',
    { logo: 'files/logo/acme.svg', accent: 'signal' },
  ),
  isNeutral: website('flag', 'Whether a guide without a theme takes nothing from its own data: theme: none.'),
  socialImage: website('file', 'The picture in link previews: its path from project.yaml.', 'files/share.png'),
  contact: website(
    'contact',
    'The contact: one line of text, an email address, or an address with https://, http:// or mailto:.',
    'brand@acme.example',
  ),
  footer: website('footer', 'Links at the foot of each page.', [
    { name: 'Imprint', url: 'https://acme.example/imprint' },
  ]),
  office: website(
    'office',
    'The colours and fonts of a theme for Microsoft Office: the ids of all twelve colours or none, and both families or none.',
    { major: 'IBM Plex Sans', minor: 'IBM Plex Sans' },
  ),
  nav: website(
    'navigation',
    'list: all pages next to each page. sections: the sections of the guide in the header. Default: list with the layout docs, else sections.',
  ),
  folders: website('folders', 'The headings and order of folders in the library, by path.'),
  words: website(
    'words',
    'The words of the brand, and the words that they replace. A page that links to project.yaml#words shows them.',
    [{ write: 'use', not: ['utilise', 'leverage'] }],
  ),
  lint: website('lint', 'How housestyle lint compares files with the brand.', { neutrals: 'strict' }),
} as const

const { isNeutral, folders, ...WRITTEN_FIELDS } = APPEARANCE_FIELDS

/** The keys of `project.yaml`. */
export const PROJECT_FIELDS = {
  id: tools(
    'project id',
    'The id of the project, part of its addresses. Default: made from the folder name.',
    'guidelines',
  ),
  name: api('line', 'The name of the project. Default: the folder name.', 'Brand guidelines'),
  visibility: tools(
    'visibility',
    'private: the website opens with a share link or a token. public: it is open to everyone.',
  ),
  pages: tools('page ids', 'The ids of the pages that come first, in this order.', ['index', 'logo', 'logo/misuse']),
  revisions: tools('revisions', 'served: the API also answers for earlier revisions, for builds that must not change.'),
  publishing: tools('publishing', 'Who must review a draft before it is published. Default: no one.', {
    reviewers: 2,
  }),
  lang: api(
    'language',
    'The language of the guide, as a BCP 47 tag. The labels of the website use it too.',
    'en',
    'de',
    'pt-BR',
  ),
  translationOf: tools(
    'project',
    'The id of the project of this workspace that this one translates. Styles and files that it leaves out are those that the other has published.',
    'guidelines',
  ),
  ...WRITTEN_FIELDS,
  rules: tools('rule levels', 'The levels of rules for this project. docs/findings.md lists all rules.', {
    'link-broken': 'error',
  }),
} as const

/** The keys of `theme.scale`: ids of type styles. */
export const SCALE_FIELDS = {
  title: website('style', 'The style of page titles. Default: that of h1.', 'display'),
  h1: website('style', 'The style of statements, and of page titles without title.', 'heading-1'),
  h2: website('style', 'The style of headings.', 'heading-2'),
  h3: website('style', 'The style of headings below h2.', 'heading-3'),
  lead: website('style', 'The style of the sentence below a title.', 'lead'),
  caption: website('style', 'The style of captions.', 'caption'),
  label: website('style', 'The style of small labels.', 'label'),
} as const

export type TypeScale = FieldsOf<typeof SCALE_FIELDS, CommonValues, never>

/** The keys of `theme`: file paths in the project, and ids of colours and type styles. */
export const THEME_FIELDS = {
  logo: website('file', 'The picture in the header: its path from project.yaml.', 'files/logo/acme.svg'),
  logoDark: website('file', 'The picture in the header of dark pages.', 'files/logo/acme-white.svg'),
  icon: website('file', 'The picture in the browser tab.', 'files/logo/mark.svg'),
  accent: website('style', 'The id of the colour of links and buttons.', 'signal'),
  ground: website('style', 'The id of the background colour of light pages.', 'paper'),
  text: website('style', 'The id of the text colour of light pages.', 'ink'),
  heading: website('style', 'The id of the type style of headings.', 'heading'),
  body: website('style', 'The id of the type style of body text.', 'body'),
  scale: website(
    'scale',
    'The type styles of titles, headings and small text, with their sizes. Without it, styles with usual names in falling sizes, such as title, h1 and h2, except with the layout docs.',
    { title: 'display', h2: 'heading' },
  ),
  corners: website('corners', 'The corners of buttons and cards: a name, or a radius in px from 0 to 100.', 'soft', 4),
  lines: website('lines', 'The lines between parts: none, thin grey ones, or 2 px in the text colour.'),
  motion: website('motion', 'Whether changes on the page are animated briefly.'),
  dark: website('dark mode', 'Whether pages switch to dark colours for readers who prefer them.'),
  layout: website(
    'layout',
    'editorial: headings beside text, and large pictures. index: contents in large type. docs: the pages in a list beside text. Default: docs for a guide with 40 pages or more and no cover, else editorial.',
  ),
  download: website(
    'file',
    'The logo that the header offers: the path of a file, or of a folder of files, from project.yaml.',
    'files/logo',
  ),
} as const

export type Theme = FieldsOf<typeof THEME_FIELDS, ThemeKinds, never>

type ThemeKinds = CommonValues & {
  scale: TypeScale
  corners: (typeof CORNERS)[number] | number
  lines: (typeof LINES)[number]
  motion: (typeof MOTIONS)[number]
  'dark mode': (typeof DARK_MODES)[number]
  layout: (typeof LAYOUTS)[number]
}

/** The ids of all twelve Office colours or none, and both families or none (ECMA-376-1 §20.1.6.2, §20.1.4.1.18). */
export type OfficeTheme = { [Slot in OfficeColor]?: StyleId } & { [Slot in OfficeFont]?: string }

/** The colours of an Office theme, in the order of its schema. */
export const OFFICE_COLORS = [
  'dk1',
  'lt1',
  'dk2',
  'lt2',
  'accent1',
  'accent2',
  'accent3',
  'accent4',
  'accent5',
  'accent6',
  'hlink',
  'folHlink',
] as const

type OfficeColor = (typeof OFFICE_COLORS)[number]

/** The fonts of an Office theme, for headings and for body text. */
export const OFFICE_FONTS = ['major', 'minor'] as const

type OfficeFont = (typeof OFFICE_FONTS)[number]
