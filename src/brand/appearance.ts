import type { StyleId } from './ids.ts'

/** What the website of a guide wears and says besides its content; the API has none of it. */
export type Appearance = {
  theme?: Theme
  /** The picture of the guide in previews of links, by its path in the project. */
  socialImage?: string
  /** Whom to ask: a text, an address, or a `mailto:` address. */
  contact?: string
  /** Links at the foot of each page. */
  footer?: readonly { name: string; url: string }[]
  /** What themes of Microsoft Office are made from. */
  office?: OfficeTheme
}

/** The brand in the frame of its guide: files by their paths in the project, colours and type styles by their ids. */
export type Theme = {
  logo?: string
  /** The logo for dark pages. */
  logoDark?: string
  icon?: string
  /** The colour of links and buttons. */
  accent?: StyleId
  /** The colour of light pages. */
  ground?: StyleId
  /** The colour of letters on light pages. */
  text?: StyleId
  /** The type style of headings. */
  heading?: StyleId
  /** The type style of running text. */
  body?: StyleId
  /** How round corners are, in words or in px. */
  corners?: (typeof CORNERS)[number] | number
  /** Whether pages turn dark for those who like that. */
  dark?: (typeof DARK_MODES)[number]
}

/**
 * The colours and fonts of an Office theme: the ids of all twelve colours or of none, and both families or none (ECMA-376,
 * part 1, §20.1.6.2 clrScheme and §20.1.4.1.18 fontScheme).
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

/** The fonts of an Office theme: of headings, and of running text. */
export const OFFICE_FONTS = ['major', 'minor'] as const

type OfficeFont = (typeof OFFICE_FONTS)[number]

/** How round corners may be, in words. */
export const CORNERS = ['square', 'soft', 'round'] as const

/** Whether there are dark pages. */
export const DARK_MODES = ['auto', 'off'] as const
