import { type CommonValues, type FieldsOf, field } from './fields.ts'
import type { FolderNotes } from './file.ts'
import type { StyleId } from './ids.ts'
import type { BrandWord, LintSettings } from './lint-rules.ts'

/** The theme of a guide's website, its wording outside the content, and its settings for lint. The API omits them. */
export type Appearance = {
  theme?: Theme
  /** Whether a guide without a theme takes nothing from its own data: `theme: none`. */
  isNeutral?: boolean
  /** The path in the project of the picture for link previews. */
  socialImage?: string
  /** The contact for questions: plain text, a URL, or a `mailto:` address. */
  contact?: string
  /** Links at the foot of each page. */
  footer?: readonly { name: string; url: string }[]
  /** The source of the Microsoft Office theme. */
  office?: OfficeTheme
  /** Whether pages have the sections of the guide in their header, instead of a list of all pages next to them. */
  nav?: (typeof NAVIGATIONS)[number]
  /** The headings and order of folders in the library, by path. */
  folders?: readonly FolderNotes[]
  /** The words of the brand, and the words that they replace. */
  words?: readonly BrandWord[]
  /** How files are compared with the brand. */
  lint?: LintSettings
}

/** The corner radius is a keyword or in px. */
export const CORNERS = ['square', 'soft', 'round'] as const

export const DARK_MODES = ['auto', 'off'] as const

export const NAVIGATIONS = ['list', 'sections'] as const

/** The keys of `theme`: file paths in the project, and ids of colours and type styles. */
export const THEME_FIELDS = {
  logo: field('website', 'file', 'The picture in the header: its path from project.yaml.', 'files/logo/acme.svg'),
  logoDark: field('website', 'file', 'The picture in the header of dark pages.', 'files/logo/acme-white.svg'),
  icon: field('website', 'file', 'The picture in the browser tab.', 'files/logo/mark.svg'),
  accent: field('website', 'style', 'The id of the colour of links and buttons.', 'signal'),
  ground: field('website', 'style', 'The id of the background colour of light pages.', 'paper'),
  text: field('website', 'style', 'The id of the text colour of light pages.', 'ink'),
  heading: field('website', 'style', 'The id of the type style of headings.', 'heading'),
  body: field('website', 'style', 'The id of the type style of body text.', 'body'),
  corners: field(
    'website',
    'corners',
    'The corners of buttons and cards: a name, or a radius in px from 0 to 100.',
    'soft',
    4,
  ),
  dark: field('website', 'dark mode', 'Whether pages switch to dark colours for readers who prefer them.'),
  download: field(
    'website',
    'file',
    'The logo that the header offers: the path of a file, or of a folder of files, from project.yaml.',
    'files/logo',
  ),
} as const

export type Theme = FieldsOf<typeof THEME_FIELDS, ThemeKinds, never>

type ThemeKinds = CommonValues & {
  corners: (typeof CORNERS)[number] | number
  'dark mode': (typeof DARK_MODES)[number]
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
