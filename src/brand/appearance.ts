import type { StyleId } from './ids.ts'

/** The theme of a guide's website, and its wording outside the content. The API omits them. */
export type Appearance = {
  theme?: Theme
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
}

/** The theme of a guide: file paths in the project, and ids of colours and type styles. */
export type Theme = {
  logo?: string
  /** The logo for dark pages. */
  logoDark?: string
  icon?: string
  /** The colour of links and buttons. */
  accent?: StyleId
  /** The background colour of light pages. */
  ground?: StyleId
  /** The text colour of light pages. */
  text?: StyleId
  /** The type style of headings. */
  heading?: StyleId
  /** The type style of body text. */
  body?: StyleId
  /** The corner radius, as a keyword or in px. */
  corners?: (typeof CORNERS)[number] | number
  /** Whether pages follow the reader's dark mode preference. */
  dark?: (typeof DARK_MODES)[number]
  /** The path in the project of the file, or of the folder of files, that the header offers as the logo. */
  download?: string
}

/**
 * The colours and fonts of an Office theme: the ids of all twelve colours or of none, and both families or none
 * (ECMA-376, part 1, §20.1.6.2 clrScheme and §20.1.4.1.18 fontScheme).
 */
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

/** The keywords for the corner radius. */
export const CORNERS = ['square', 'soft', 'round'] as const

export const DARK_MODES = ['auto', 'off'] as const

export const NAVIGATIONS = ['list', 'sections'] as const
