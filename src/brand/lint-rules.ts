/** The levels of a lint rule. */
export const LINT_LEVELS = ['off', 'warning', 'error'] as const

export type LintLevel = (typeof LINT_LEVELS)[number]

type LintRule = {
  /** The level unless `lint: {rules: …}` in project.yaml says otherwise. */
  severity: LintLevel
  summary: string
  fix: string
  /** The rule cannot be off: a file that is not read would seem to be right. */
  isAlwaysOn?: true
}

/** The rules for files that use a brand: the source of findings, of the rules in SARIF and of the docs. */
export const LINT_RULES = {
  'color-near': {
    severity: 'warning',
    summary: 'A colour is almost a colour of the brand (ΔE 2000 below 2).',
    fix: 'Write the value of the brand.',
  },
  'color-off': {
    severity: 'error',
    summary: 'A colour is not one of the brand.',
    fix: 'Use a colour of the brand.',
  },
  'color-literal': {
    severity: 'off',
    summary: 'A colour of the brand is written as a value where a variable is possible.',
    fix: 'Write the variable of the brand.',
  },
  'contrast-low': {
    severity: 'warning',
    summary: 'Text has less contrast with its ground than WCAG 2.2 requires.',
    fix: 'Choose a darker or a lighter colour.',
  },
  'font-off': {
    severity: 'error',
    summary: 'A font family is not one of the brand.',
    fix: 'Use a family of the brand.',
  },
  'type-near': {
    severity: 'warning',
    summary: 'A size, weight or line height is almost the one of a type style.',
    fix: 'Write the value of the type style.',
  },
  'word-avoid': {
    severity: 'warning',
    summary: 'The text has a word that the brand avoids.',
    fix: 'Write the word of the brand.',
  },
  'file-old': {
    severity: 'warning',
    summary: 'A file is an earlier version of a file of the brand, or its licence has ended.',
    fix: "Use today's file.",
  },
  unreadable: {
    severity: 'error',
    summary: 'A file cannot be read, so nothing is known about it.',
    fix: 'Repair the file, or leave it out.',
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
}

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
