/** Something that is wrong or doubtful in a brand folder. */
export type Finding = {
  severity: 'error' | 'warning'
  /** The id of the rule in `RULES`. */
  rule: RuleId
  /** The id of the project that the finding is about; null if it is about the folder. */
  project: string | null
  /** Relative to the brand folder, with `/`. */
  path: string
  /** 1-based; null if the finding is about the whole file. */
  line: number | null
  /** What is the case, and what to do. */
  message: string
}

/** A finding as the reader of one file makes it, which knows neither path nor project. */
export type Problem = {
  rule: RuleId
  line: number | null
  message: string
  /** The missing file, as a path in the project, or a style in that file. A problem that breaks it explains this one. */
  missing?: { path: string; id?: string }
  /** The files that the problem keeps from being read, or with ids only these styles in them. */
  breaks?: { paths: readonly string[]; ids?: readonly string[] }
}

/** The lists of styles by their paths in a project. */
export const STYLE_LISTS = ['styles/colors.yaml', 'styles/types.yaml'] as const

export type StyleList = (typeof STYLE_LISTS)[number]

/** If a project has an error, its draft stays as it was. A warning stops nothing. */
type Rule = {
  severity: 'error' | 'warning'
  summary: string
  fix: string
  /**
   * `rules:` in project.yaml cannot set it: it protects whoever reads the folder, or what is read without it would be
   * incomplete, ambiguous or another project's.
   */
  isFixed?: true
}

/** The rules for brand folders: the source of findings, of the rules in SARIF and of `docs/findings.md`. */
export const RULES = {
  'no-project': {
    severity: 'error',
    summary: 'The folder holds no project.',
    fix: 'Name a folder that has pages/, styles/ or files/, or one with such folders in it.',
    isFixed: true,
  },
  'folder-ambiguous': {
    severity: 'error',
    summary: 'A folder that is a project holds another project, so that it could be a project or a workspace.',
    fix: 'Move the pages/, styles/ and files/ beside it into a folder of their own, or begin its name with _.',
    isFixed: true,
  },
  'rule-fixed': {
    severity: 'error',
    summary: '`rules:` sets a rule that cannot be set.',
    fix: 'Remove it from `rules:`, and correct what the rule finds.',
    isFixed: true,
  },
  'workspace-new': {
    severity: 'warning',
    summary: 'The folder is imported as a new workspace, and the store has what seems to be the same under another id.',
    fix: 'Write `id:` in workspace.yaml and project.yaml, or import the folder of the workspace.',
    isFixed: true,
  },
  'id-invalid': {
    severity: 'error',
    summary: 'An id is not a slug, is too long, is reserved, or cannot be made from the name.',
    fix: 'Write `id:` with lower-case letters, digits and single hyphens.',
    isFixed: true,
  },
  'id-taken': {
    severity: 'error',
    summary: 'Two things have the same id.',
    fix: 'Rename one of them, or give one an `id:` of its own.',
    isFixed: true,
  },
  'project-copying': {
    severity: 'error',
    summary: 'A project is being copied, or overwritten by a copy; its draft stays as it was.',
    fix: 'Import again when the copy is done.',
    isFixed: true,
  },
  'project-missing': {
    severity: 'warning',
    summary: 'A project of an earlier import is not in the folder any more; it stays as it is.',
    fix: 'Delete it with `housestyle delete workspace/project` if it is no longer wanted.',
    isFixed: true,
  },
  'not-followed': {
    severity: 'warning',
    summary: 'A symbolic link, device, socket or pipe is left out.',
    fix: 'Put the file itself in its place.',
    isFixed: true,
  },
  'not-read': {
    severity: 'warning',
    summary:
      'A file or folder has a name that is nearly one that is read, or stands where nothing of its name is read.',
    fix: 'Give it the name that the message shows; a name that starts with _ is passed over.',
  },
  'name-unusable': {
    severity: 'warning',
    summary: 'A file or folder whose name has control characters or is not UTF-8 is left out.',
    fix: 'Rename it.',
    isFixed: true,
  },
  unreadable: {
    severity: 'error',
    summary: 'A file or folder cannot be read.',
    fix: 'Allow the user that runs housestyle to read it.',
    isFixed: true,
  },
  'changed-while-read': {
    severity: 'error',
    summary: 'A file or folder was moved, replaced or written to while the folder was read; nothing of it is kept.',
    fix: 'Import again when nothing is writing to the folder.',
    isFixed: true,
  },
  'too-large': {
    severity: 'error',
    summary: 'A file is larger than its cap.',
    fix: 'Make it smaller or split it; the cap for files is raised with --max-file.',
    isFixed: true,
  },
  'too-many': {
    severity: 'error',
    summary: 'A project has more pages, files, styles, or a page has more links, than its cap.',
    fix: 'Split the project or the page; the cap for a project is raised with --max-items.',
    isFixed: true,
  },
  'not-utf8': {
    severity: 'error',
    summary: 'A text file is not UTF-8.',
    fix: 'Save it as UTF-8.',
    isFixed: true,
  },
  'yaml-syntax': {
    severity: 'error',
    summary: 'The YAML cannot be read.',
    fix: 'Correct it at the line that is named.',
    isFixed: true,
  },
  'yaml-duplicate-key': {
    severity: 'error',
    summary: 'A key stands twice in one mapping.',
    fix: 'Keep one of the two.',
  },
  'yaml-alias': {
    severity: 'error',
    summary: 'The YAML uses an anchor, an alias or a tag.',
    fix: 'Write the value out.',
    isFixed: true,
  },
  'yaml-depth': {
    severity: 'error',
    summary: 'The YAML is nested more than 32 deep.',
    fix: 'Flatten it.',
    isFixed: true,
  },
  'key-unknown': {
    severity: 'error',
    summary: 'A key is not known here.',
    fix: 'Correct its spelling (the nearest known key is named) or remove it.',
  },
  'front-matter-open': {
    severity: 'warning',
    summary: 'A page has front matter that does not begin on its first line, or does not end, and is text.',
    fix: 'Begin it with `---` on the first line, and end it with another line of `---`.',
  },
  'front-matter-key-unknown': {
    severity: 'warning',
    summary: 'A key of the front matter is not known and is left out.',
    fix: 'Correct its spelling, or remove it.',
  },
  'front-matter-value-unknown': {
    severity: 'warning',
    summary: 'A key of the front matter that other tools have too has a value that is not known and is left out.',
    fix: 'Correct it, or remove it.',
  },
  'cover-unknown': {
    severity: 'warning',
    summary: 'The cover of a page is neither a picture nor a colour of the project and is left out.',
    fix: 'Write the path of a picture from the page, or the id of a colour.',
  },
  'value-missing': { severity: 'error', summary: 'A value that is required is not there.', fix: 'Write it.' },
  'value-invalid': {
    severity: 'error',
    summary: 'A value is not of the form that its key takes.',
    fix: 'Write it in the form that the message shows.',
  },
  'value-too-long': { severity: 'error', summary: 'A text is longer than its cap.', fix: 'Shorten it.', isFixed: true },
  'value-unquoted': {
    severity: 'error',
    summary: 'A value starts with # outside quotes, which YAML reads as a comment.',
    fix: 'Put it in quotes.',
  },
  'color-disagreement': {
    severity: 'error',
    summary: 'The hex and rgb of a colour are not the same colour.',
    fix: 'Keep one of the two, or correct the wrong one.',
  },
  'ral-design': {
    severity: 'warning',
    summary: 'A RAL number is not of RAL Classic and is left out.',
    fix: 'Give a RAL Classic number of four digits, or keep the number in the name or on a page.',
  },
  'styles-empty': {
    severity: 'warning',
    summary: 'A list of styles is empty, and other files of the project refer to it.',
    fix: 'Write the styles that they name, or remove the references.',
  },
  'reference-missing': {
    severity: 'error',
    summary: 'An id or a path in a YAML file leads to nothing in the project.',
    fix: 'Correct it (the nearest known one is named), or remove it.',
  },
  'theme-contrast': {
    severity: 'warning',
    summary: 'Text or links in the colours of the theme have less contrast than WCAG 2.2 asks for.',
    fix: 'Choose a darker or a lighter colour; until then the website takes colours that can be read.',
  },
  'social-image-format': {
    severity: 'warning',
    summary: '`socialImage` is a picture that previews of links cannot show, such as an SVG.',
    fix: 'Name a PNG, JPEG, WebP or GIF; until then previews show another picture, or none.',
  },
  'font-family-missing': {
    severity: 'warning',
    summary:
      'A type style names a family that no font of the project has, or `office` one that no font or type style has.',
    fix: 'Add the font under files/, or name a family that is there.',
  },
  'font-weight-missing': {
    severity: 'warning',
    summary: 'A type style asks for a weight or a style that no font of its family has.',
    fix: 'Add the font under files/, or write a weight and a style that are there.',
  },
  'export-cmyk-missing': {
    severity: 'warning',
    summary: 'With `check --exports`: a colour has no CMYK values, and others have.',
    fix: 'Write its `cmyk`; it is never computed.',
  },
  'export-ink-names': {
    severity: 'warning',
    summary: 'With `check --exports`: one spot ink is written in two ways, which makes two plates of it.',
    fix: 'Write its Pantone reference the same way everywhere.',
  },
  'export-tailwind-name': {
    severity: 'warning',
    summary:
      'With `check --exports`: the id of a style is taken in Tailwind, or cannot be used there, so that its theme has another name for it.',
    fix: 'Give the style an `id` of its own, or use the name that the message shows.',
  },
  'export-font-rights': {
    severity: 'warning',
    summary: 'With `check --exports`: the embedding rights or the licence of a font forbid its use on the web.',
    fix: 'Take a font that may be used there, or keep it out of the folder.',
  },
  'page-listed-missing': {
    severity: 'warning',
    summary: '`pages:` lists an id that no page has.',
    fix: 'Correct the id, or remove it from the list.',
  },
  'link-broken': {
    severity: 'warning',
    summary: 'A relative link leads to nothing in the project.',
    fix: 'Correct its path, or add the file.',
  },
  'link-local': {
    severity: 'warning',
    summary: 'A link or a picture has an address on one computer, such as `C:\\logo.png` or `file:///logo.png`.',
    fix: 'Put the file into the folder, and write its path from the page.',
  },
  'html-dropped': {
    severity: 'warning',
    summary: 'A page has HTML that the website leaves out with everything in it, such as an `iframe`.',
    fix: 'Write it in Markdown, link to it, or remove it.',
  },
  'page-format': {
    severity: 'warning',
    summary:
      'A document under pages/ is not Markdown and no page links to it, or a page ends in `.MD` instead of `.md`.',
    fix: 'Save it as `.md`, link to it, or move it to files/.',
  },
  'link-space': {
    severity: 'warning',
    summary: 'What was meant as a link or a picture is text, since its address has a space.',
    fix: 'Write `%20` for the space, or `<` and `>` around the address.',
  },
  'link-heading-missing': {
    severity: 'warning',
    summary: 'A link leads to a heading, or an id, that its page does not have.',
    fix: 'Correct the part after #, or the heading.',
  },
  'link-style-missing': {
    severity: 'warning',
    summary:
      'A link to a list of styles names a colour, a group of colours or a type style that is not in it, and leads to the whole list.',
    fix: 'Correct the part after #: it is the id of a style, or the name of a group as a slug.',
  },
  'template-tag': {
    severity: 'warning',
    summary:
      'A page has a tag of another system (`{% … %}`, `{{ … }}`, `{: … }`, `{{< … >}}`, an `import` of MDX), which nothing fills in here.',
    fix: 'Write in Markdown what it would make, or remove it; put it in code if readers are to see it.',
  },
  'file-described-missing': {
    severity: 'warning',
    summary: 'files.yaml describes a file that is not there.',
    fix: 'Correct its path, or remove the entry.',
  },
  'description-unused': {
    severity: 'warning',
    summary: 'files.yaml gives a file a field that files of its type do not have.',
    fix: 'Remove the field: descriptions, widths and heights are for pictures, families and weights for fonts.',
  },
  'type-mismatch': {
    severity: 'warning',
    summary: 'The content of a file is of another type than its extension says; the content wins.',
    fix: 'Rename the file.',
  },
  'font-unreadable': {
    severity: 'warning',
    summary: 'A font, or a part of it, cannot be read and is served without that metadata.',
    fix: 'Export it again.',
  },
  'picture-format': {
    severity: 'warning',
    summary: 'A picture is shown on the website, and browsers do not show its format, such as HEIC, TIFF or PSD.',
    fix: 'Save it as JPEG, PNG or SVG, and name that file.',
  },
  'picture-pixels': {
    severity: 'warning',
    summary: 'A picture has more than 100 million pixels, which previews and many browsers cannot show.',
    fix: 'Save it smaller.',
  },
  'picture-damaged': {
    severity: 'warning',
    summary: 'An SVG has an error, so that browsers do not show it.',
    fix: 'Export it again.',
  },
  'picture-unreadable': {
    severity: 'warning',
    summary: 'A picture cannot be read and is served without metadata.',
    fix: 'Export it again.',
  },
} as const satisfies Record<string, Rule>

/** The id of a rule. */
export type RuleId = keyof typeof RULES

/** What `rules:` in project.yaml makes of a rule. */
export type RuleLevel = 'off' | 'warning' | 'error'

export function isRuleId(text: string): text is RuleId {
  return Object.hasOwn(RULES, text)
}

/** Whether `rules:` in project.yaml cannot set a rule. */
export function isFixedRule(id: RuleId): boolean {
  const rule: Rule = RULES[id]
  return rule.isFixed === true
}
