/** Something wrong or doubtful in a brand folder: data about the folder, never an exception. */
export type Finding = {
  severity: 'error' | 'warning'
  /** The id of the rule in `RULES`. */
  rule: RuleId
  /** The id of the project that the finding is about, or null where it is about the folder. */
  project: string | null
  /** Relative to the brand folder, with `/`. */
  path: string
  /** 1-based, or null where the finding is about the whole file. */
  line: number | null
  /** What is the case, and what to do. */
  message: string
}

/** An error keeps the draft of its project as it was; a warning stops nothing. */
type Rule = { severity: 'error' | 'warning'; summary: string; fix: string }

/** Every rule that a brand folder is held to: the source of `check`, of SARIF's rule list and of `docs/findings.md`. */
export const RULES = {} as const satisfies Record<string, Rule>

/** The id of a rule. */
export type RuleId = keyof typeof RULES
