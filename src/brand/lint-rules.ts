import { error, note, warning } from './finding.ts'

/** A note never fails. */
export const LINT_LEVELS = ['off', 'note', 'warning', 'error'] as const

export type LintLevel = (typeof LINT_LEVELS)[number]

/** The levels of rules that are always on. */
export const FIXED_LEVELS = ['warning', 'error'] as const satisfies LintLevel[]

type LintRule = {
  /** The level unless `lint: {rules: …}` in project.yaml says otherwise. */
  severity: LintLevel
  summary: string
  fix: string
  /** The rule cannot be off: a file that is not read would seem to be right. */
  isAlwaysOn?: true
}

/** The rules for files that use a brand: the source of findings and of the rules in SARIF. A test compares docs/lint.md with it. */
export const LINT_RULES = {
  'color-near': warning('A colour is almost a colour of the brand (ΔE 2000 below 2).', 'Write the value of the brand.'),
  'color-off': error('A colour is not one of the brand.', 'Use a colour of the brand.'),
  'color-scheme': warning(
    'Code for dark pages has the light value of a colour that has another one on dark grounds.',
    'Write the value for dark grounds, or allow the colour on that ground with "on".',
  ),
  'color-shade': warning(
    'A colour is a tint or shade that an Office program made of a colour of the brand.',
    'Use the colour itself, or turn the rule off.',
  ),
  'color-literal': {
    ...warning(
      'A colour of the brand is written as a value where a variable is possible.',
      'Write the variable of the brand.',
    ),
    severity: 'off',
  },
  'contrast-low': warning(
    'Text has less contrast with its ground than WCAG 2.2 requires.',
    'Choose a darker or a lighter colour.',
  ),
  'font-off': error('A font family is not one of the brand.', 'Use a family of the brand.'),
  'type-near': warning(
    'A size, weight or line height is almost the one of a type style.',
    'Write the value of the type style.',
  ),
  'word-avoid': warning('The text has a word that the brand avoids.', 'Write the word of the brand.'),
  'logo-recolored': error('A logo of the brand has colours that none of its files has.', "Use the brand's file."),
  'logo-stretched': error('A logo of the brand is too wide or too high, by more than 2 %.', 'Keep its proportions.'),
  'logo-small': warning('A logo of the brand is shown below its smallest width.', 'Show it larger.'),
  'file-old': warning(
    'A file is an earlier version of a file of the brand, or its licence has ended.',
    "Use today's file.",
  ),
  'spot-off': error('A file for print has an ink that the brand does not have.', 'Use an ink of the brand.'),
  'spot-name': warning(
    'An ink of the brand has another name, which makes another plate.',
    'Write the name that the message shows.',
  ),
  'cmyk-off': error(
    'A file for print has CMYK values that no colour of the brand has.',
    'Write the values of the brand, or equal parts of them.',
  ),
  'black-plates': warning('Text is printed on four plates.', 'Print it only in black, or in one ink.'),
  'rgb-in-print': error(
    'A page of a file for print has RGB; a warning if its version of PDF/X allows it.',
    'Give it the inks of the brand, or convert it.',
  ),
  'font-not-embedded': error('A file for print does not contain a font that it uses.', 'Embed the font.'),
  'overprint-used': note('A file for print has inks over others.', 'Look at it in an overprint preview.'),
  'transparency-used': note('A file for print has transparency.', 'Ask the printer how it is flattened.'),
  unreadable: {
    ...error('A file cannot be read, so nothing is known about it.', 'Repair the file, or leave it out.'),
    isAlwaysOn: true,
  },
} as const satisfies Readonly<Record<string, LintRule>>

export type LintRuleId = keyof typeof LINT_RULES

/** How files are compared with a brand: `lint:` in project.yaml. */
export type LintSettings = {
  /** Black, white and greys: `usual` accepts them in text, borders and shadows; `strict` only if the brand has them. */
  neutrals?: (typeof NEUTRALS)[number]
  /** Globs of files that are not read, relative to the working folder. */
  ignore?: readonly string[]
  rules?: Readonly<Partial<Record<LintRuleId, LintLevel>>>
  /** Other families that files may use, such as those of icons. */
  fonts?: readonly string[]
  /** Spot colours that are no inks but lines for tools, besides the usual ones (`TECHNICAL_INKS`). */
  technicalInks?: readonly string[]
}

/** The usual names of spot colours for cutting, creasing and perforating. White and varnish are printed. */
export const TECHNICAL_INKS = ['CutContour', 'Thru-cut', 'Dieline', 'Crease', 'Perforation'] as const

export const NEUTRALS = ['usual', 'strict'] as const

/** A word of the brand, and the words that it replaces: an entry of `words:` in project.yaml. */
export type BrandWord = {
  write: string
  not: readonly string[]
  /** Why, in one line. */
  reason?: string
  /** The id of the page that explains it. */
  page?: string
}
