/** A problem, or a likely problem, in a brand folder. */
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
  /** The problem, and how to fix it. */
  message: string
}

/** A finding from the reader of one file, which knows neither the path nor the project. */
export type Problem = {
  rule: RuleId
  line: number | null
  message: string
  /**
   * The path in the project of the missing file, or of the file without the style `id`. A problem that `breaks` it
   * hides this one.
   */
  missing?: { path: string; id?: string }
  /** The files that cannot be read because of the problem; with `ids`, only these styles in them. */
  breaks?: { paths: readonly string[]; ids?: readonly string[] }
}

/** The paths of the style lists in a project. */
export const STYLE_LISTS = ['styles/colors.yaml', 'styles/types.yaml'] as const

export type StyleList = (typeof STYLE_LISTS)[number]

/** A project with an error keeps its draft unchanged. A warning blocks nothing. */
type Rule = {
  severity: 'error' | 'warning'
  summary: string
  fix: string
  /**
   * `rules:` in project.yaml cannot set the rule: it protects the machine that reads the folder, or keeps the content
   * from being incomplete, ambiguous or another project's.
   */
  isFixed?: true
}

/** The rules for brand folders: the source of findings, of the rules in SARIF and of `docs/findings.md`. */
export const RULES = {
  'no-project': {
    severity: 'error',
    summary: 'The folder contains no project.',
    fix: 'Name a folder with pages/, styles/ or files/, or a folder of such folders.',
    isFixed: true,
  },
  'folder-ambiguous': {
    severity: 'error',
    summary: 'A project folder contains another project.',
    fix: 'Move the pages/, styles/ and files/ next to it into their own folder, or begin its name with _.',
    isFixed: true,
  },
  'rule-fixed': {
    severity: 'error',
    summary: '`rules:` sets a rule that cannot be set.',
    fix: 'Remove it, and correct what the rule finds.',
    isFixed: true,
  },
  'workspace-new': {
    severity: 'warning',
    summary: 'The folder becomes a new workspace, but the store seems to have it under another id.',
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
    summary: 'Two items have the same id.',
    fix: 'Rename one of them, or give one its own `id:`.',
    isFixed: true,
  },
  'project-copying': {
    severity: 'error',
    summary: 'A copy from or to the project is running; its draft stays unchanged.',
    fix: 'Import again when the copy is done.',
    isFixed: true,
  },
  'project-missing': {
    severity: 'warning',
    summary: 'A project from an earlier import is no longer in the folder; it stays unchanged.',
    fix: 'Delete it with `housestyle delete workspace/project` if you no longer need it.',
    isFixed: true,
  },
  'not-followed': {
    severity: 'warning',
    summary: 'A symbolic link, device, socket or pipe is left out.',
    fix: 'Put the file itself in its place.',
    isFixed: true,
  },
  'git-submodule': {
    severity: 'warning',
    summary: 'A submodule of a followed repository is left out with all its files.',
    fix: "Add the files to the repository itself, or follow the submodule's own repository.",
    isFixed: true,
  },
  'not-read': {
    severity: 'warning',
    summary: 'A file or folder has almost the right name, or the right name in the wrong place.',
    fix: 'Give it the name or place that the message shows, or start its name with _ to have it ignored.',
  },
  'styles-misplaced': {
    severity: 'error',
    summary: 'A list of colours or type styles is not read, because its file has a wrong name or place.',
    fix: 'Rename or move it to `styles/colors.yaml` or `styles/types.yaml`, as the message shows.',
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
    summary: 'A file or folder changed while housestyle read it; it is not imported.',
    fix: 'Import again when no program is writing to the folder.',
    isFixed: true,
  },
  'too-large': {
    severity: 'error',
    summary: 'A file is larger than the limit.',
    fix: 'Make it smaller or split it; --max-file raises the limit for files.',
    isFixed: true,
  },
  'too-many': {
    severity: 'error',
    summary: 'A project has too many pages, files or styles, or a page has too many links.',
    fix: 'Split the project or the page; --max-items raises the limit for projects.',
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
    fix: 'Correct it at the line that the message names.',
    isFixed: true,
  },
  'yaml-duplicate-key': {
    severity: 'error',
    summary: 'A mapping has the same key twice.',
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
    summary: 'A key is unknown here.',
    fix: 'Correct its spelling, or remove it.',
  },
  'front-matter-open': {
    severity: 'warning',
    summary: 'Front matter does not begin on the first line of a page, or does not end, and is shown as text.',
    fix: 'Begin it with `---` on the first line, and end it with `---`.',
  },
  'front-matter-key-unknown': {
    severity: 'warning',
    summary: 'A key of the front matter is unknown and ignored.',
    fix: 'Correct its spelling, or remove it.',
  },
  'front-matter-value-unknown': {
    severity: 'warning',
    summary: 'A front matter key that other tools also use has an unknown value, which is ignored.',
    fix: 'Correct it, or remove it.',
  },
  'page-empty': {
    severity: 'warning',
    summary: 'A page has no text after its front matter.',
    fix: 'Write its text, or remove the file.',
  },
  'cover-unknown': {
    severity: 'warning',
    summary: 'A cover is neither a picture, a video nor a colour of the project, and is left out.',
    fix: 'Write the path of a picture or video relative to the page, or the id of a colour.',
  },
  'cover-contrast': {
    severity: 'warning',
    summary: 'A cover asks for light or dark letters that are illegible on its ground.',
    fix: 'Write `text: auto`, or choose another ground; until then the website uses readable letters.',
  },
  'value-missing': { severity: 'error', summary: 'A required value is missing.', fix: 'Write it.' },
  'value-invalid': {
    severity: 'error',
    summary: 'A value has the wrong form for its key.',
    fix: 'Use the form that the message shows.',
  },
  'value-too-long': {
    severity: 'error',
    summary: 'A value is longer than the limit.',
    fix: 'Shorten it.',
    isFixed: true,
  },
  'value-unquoted': {
    severity: 'error',
    summary: 'A value starts with # outside quotes, which YAML reads as a comment.',
    fix: 'Put it in quotes.',
  },
  'value-cut': {
    severity: 'warning',
    summary: 'A value without quotes ends before ` #` and a letter or digit, which YAML reads as a comment.',
    fix: 'Put it in quotes, or write a space after #.',
  },
  'color-disagreement': {
    severity: 'error',
    summary: 'The hex and rgb of a colour are not the same colour.',
    fix: 'Keep one of the two, or correct the wrong one.',
  },
  'ral-design': {
    severity: 'warning',
    summary: 'A RAL number is not from RAL Classic, and is left out.',
    fix: 'Write a RAL Classic number of four digits, or keep it in the name.',
  },
  'styles-empty': {
    severity: 'warning',
    summary: 'A list of styles is empty, but other files refer to it.',
    fix: 'Add the styles, or remove the references.',
  },
  'reference-missing': {
    severity: 'error',
    summary: 'An id or a path in a YAML file does not exist in the project.',
    fix: 'Correct it, or remove it.',
  },
  'theme-contrast': {
    severity: 'warning',
    summary: 'Text or links in the theme colours have less contrast than WCAG 2.2 requires.',
    fix: 'Choose a darker or a lighter colour; until then the website uses readable colours.',
  },
  'social-image-format': {
    severity: 'warning',
    summary: '`socialImage` is a picture that link previews cannot show, such as an SVG.',
    fix: 'Name a PNG, JPEG, WebP or GIF.',
  },
  'font-family-missing': {
    severity: 'warning',
    summary:
      'A type style names a family without a font in the project, or `office` a family without a font or type style.',
    fix: 'Add the font under files/, or name an existing family; list a system font in `fallback`, too.',
  },
  'font-weight-missing': {
    severity: 'warning',
    summary: 'A type style uses a weight or a style that no font of its family has.',
    fix: 'Add the font under files/, or use an existing weight and style.',
  },
  'font-axis-missing': {
    severity: 'warning',
    summary: 'A type style sets an axis that no font of its family has, or a value outside its range.',
    fix: 'Add a variable font with the axis, or use an existing axis and value.',
  },
  'export-cmyk-missing': {
    severity: 'warning',
    summary: 'With `check --exports`: a colour has no CMYK values, but others do.',
    fix: 'Write its `cmyk`; it is never computed.',
  },
  'export-ink-names': {
    severity: 'warning',
    summary: 'With `check --exports`: one spot ink is written in two ways, which means two printing plates.',
    fix: 'Write its Pantone reference the same way everywhere.',
  },
  'export-tailwind-name': {
    severity: 'warning',
    summary: 'With `check --exports`: the Tailwind theme renames a style, because Tailwind does not allow its id.',
    fix: 'Give the style another `id`, or use the name that the message shows.',
  },
  'export-font-rights': {
    severity: 'warning',
    summary: 'With `check --exports`: the embedding rights or licence of a font forbid its use on the web.',
    fix: 'Use a font that allows it, or keep the font out of the folder.',
  },
  'page-listed-missing': {
    severity: 'warning',
    summary: '`pages:` lists an id that no page has.',
    fix: 'Correct the id, or remove it from the list.',
  },
  'link-broken': {
    severity: 'warning',
    summary: 'A relative link is broken: its target is not in the project.',
    fix: 'Correct its path, or add the file.',
  },
  'link-local': {
    severity: 'warning',
    summary: 'A link or picture has an address on one computer, such as `C:\\logo.png` or `file:///logo.png`.',
    fix: 'Put the file into the folder, and write its relative path.',
  },
  'html-dropped': {
    severity: 'warning',
    summary: 'The website leaves out HTML of a page with its content, such as an `iframe`.',
    fix: 'Write it in Markdown, link to it, or remove it.',
  },
  'page-format': {
    severity: 'warning',
    summary: 'A document under pages/ is not Markdown and has no link to it, or ends in `.MD` instead of `.md`.',
    fix: 'Save it as `.md`, link to it, or move it to files/.',
  },
  'link-space': {
    severity: 'warning',
    summary:
      'A link or a picture is shown as text, because of a space, curly quotes, or a backslash at the end of its address.',
    fix: 'Write it as the message shows; for a space in the address, `%20`.',
  },
  'link-heading-missing': {
    severity: 'warning',
    summary: 'A link names a heading or an id that its page does not have.',
    fix: 'Correct the part after #, or the heading.',
  },
  'link-style-missing': {
    severity: 'warning',
    summary: 'A link names a colour, group or type style that its list lacks, and opens the whole list.',
    fix: 'Write the id of a style or the slug of a group after #.',
  },
  'layout-comment': {
    severity: 'warning',
    summary:
      'A layout comment, such as `<!-- full -->`, is misspelt, unclosed, before an unsuitable block, or before one that is as wide without it.',
    fix: 'Correct it as the message shows, or remove it.',
  },
  'fence-open': {
    severity: 'warning',
    summary: 'A code fence is not closed, so the text after it is shown as code.',
    fix: 'Write the closing fence, such as three backticks, on a separate line below the code.',
  },
  'heading-space': {
    severity: 'warning',
    summary: 'A heading such as `##Do` is shown as text, because it has no space after the #.',
    fix: 'Write a space after the #.',
  },
  'table-rule': {
    severity: 'warning',
    summary: 'A table is shown as text, because its second line is not a line of dashes.',
    fix: 'Write the line that the message shows below the first.',
  },
  'template-tag': {
    severity: 'warning',
    summary:
      'A page has a template tag of another system (`{% … %}`, `{{ … }}`, `{: … }`, `{{< … >}}`, an MDX `import`).',
    fix: 'Write its output in Markdown, remove it, or format it as code to show it.',
  },
  'file-described-missing': {
    severity: 'warning',
    summary: 'files.yaml describes a file or folder that does not exist.',
    fix: 'Correct its path, or remove the entry.',
  },
  'description-unused': {
    severity: 'warning',
    summary: 'files.yaml gives a file a field that does not apply to its type.',
    fix: 'Remove the field.',
  },
  'file-expiring': {
    severity: 'warning',
    summary: '`until` in files.yaml is over, or less than 30 days away. Only `check` reports this.',
    fix: 'Write a later last day, or remove the file.',
  },
  'type-mismatch': {
    severity: 'warning',
    summary: 'The content of a file has a different type than its extension; the content decides.',
    fix: 'Rename the file.',
  },
  'font-unreadable': {
    severity: 'warning',
    summary: 'A font, or a part of it, cannot be read, and is served without that metadata.',
    fix: 'Export it again.',
  },
  'picture-format': {
    severity: 'warning',
    summary: 'A picture has a format that browsers do not show, such as HEIC, TIFF or PSD.',
    fix: 'Save it as JPEG, PNG or SVG, and use that file.',
  },
  'picture-pixels': {
    severity: 'warning',
    summary:
      'A picture on a page is over 5 MB or 40 megapixels. Readers get a smaller version, or a link if its format cannot be reduced.',
    fix: 'Show a smaller picture, and link to the original.',
  },
  'picture-damaged': {
    severity: 'warning',
    summary: 'An SVG has an error, so browsers do not show it.',
    fix: 'Export it again.',
  },
  'picture-unreadable': {
    severity: 'warning',
    summary: 'A picture cannot be read, and is served without metadata.',
    fix: 'Export it again.',
  },
} as const satisfies Record<string, Rule>

/** The id of a rule. */
export type RuleId = keyof typeof RULES

/** The severity that `rules:` in project.yaml gives a rule. */
export type RuleLevel = 'off' | 'warning' | 'error'

export function isRuleId(text: string): text is RuleId {
  return Object.hasOwn(RULES, text)
}

/** Whether `rules:` in project.yaml cannot set a rule. */
export function isFixedRule(id: RuleId): boolean {
  const rule: Rule = RULES[id]
  return rule.isFixed === true
}
